import { useId } from 'react';
import { useNavigate } from 'react-router-dom';
import { ActionView } from '../../../admin/actions/ActionView';
import { soldCoursesNamed } from '../../../api/organisation/picking';
import type { BuySeatsProps } from '../../../contracts/schema';
import { Picker } from '../../../forms/Picker';

export function OrganizationBuySeatsPage({ picksCourse, ...page }: BuySeatsProps) {
  return <ActionView {...page} before={picksCourse && <CoursePicker />} />;
}

/** Seats of which course: the page with this choice has the order form. */
function CoursePicker() {
  const id = useId();
  const navigate = useNavigate();
  return (
    <section className="area-box" aria-labelledby={`${id}-title`}>
      <h2 className="heading-m" id={`${id}-title`}>
        Seats of a course
      </h2>
      <p className="muted">Choose the course that your people are to take. Its order form follows.</p>
      <div className="area-form">
        <Picker
          id={id}
          name="course"
          label="Course"
          hint="A part of its name."
          load={soldCoursesNamed}
          onPick={({ value }) => navigate(`/organization/seats/buy?course=${encodeURIComponent(value)}`)}
        />
      </div>
    </section>
  );
}

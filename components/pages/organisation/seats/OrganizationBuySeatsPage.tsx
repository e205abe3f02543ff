import { useId } from 'react';
import { ActionView } from '../../../admin/actions/ActionView';
import { soldCoursesNamed } from '../../../api/organisation/picking';
import { useNavigate } from '../../../browser/useNavigate';
import type { BuySeatsProps } from '../../../contracts/schema';
import { Picker } from '../../../forms/Picker';
import { LinkBeside } from './LinkBeside';

/** Buying seats, and asking for a quote for them: both begin with the course. */
export function OrganizationBuySeatsPage({ picksCourse, path, beside, ...page }: BuySeatsProps) {
  const before = picksCourse && <CoursePicker path={path} />;
  return <ActionView {...page} before={before} beside={<LinkBeside link={beside} />} />;
}

/** Seats of which course: the page with this choice has the form. */
function CoursePicker({ path }: { path: string }) {
  const id = useId();
  const navigate = useNavigate();
  return (
    <section className="area-box" aria-labelledby={`${id}-title`}>
      <h2 className="heading-m" id={`${id}-title`}>
        Seats of a course
      </h2>
      <p className="muted">Choose the course that your people are to take. The form for it follows.</p>
      <div className="area-form">
        <Picker
          id={id}
          name="course"
          label="Course"
          hint="A part of its name."
          load={soldCoursesNamed}
          onPick={({ value }) => navigate(`${path}?course=${encodeURIComponent(value)}`)}
        />
      </div>
    </section>
  );
}

import { useSite } from '../../api/site';
import type { CoursePublicationProps } from '../../contracts/schema';
import { useZone } from '../../ui/StaffTime';
import { CellContent, tableFormatOf } from '../../ui/table/TableCell';
import { ActionForm } from '../actions/ActionForm';

/** The state of a course or item and the steps that lead to another one; the address and a copy of a course. */
export function CoursePublication(props: CoursePublicationProps) {
  const { actions, frame } = props;
  if (!actions) return <p className="muted">Editors and administrators publish.</p>;
  return (
    <>
      <StateBox {...props} />
      <div className="area-forms">
        {actions.map((action) => (
          // What was typed was about the former state.
          <ActionForm key={`${action.id}-${frame.state.id}`} action={action} />
        ))}
      </div>
    </>
  );
}

function StateBox({ frame: { courseId, state }, words, publishedAt, closure }: CoursePublicationProps) {
  const format = tableFormatOf(useSite());
  const zone = useZone();
  const time = (at: string, label: string) => (
    <CellContent cell={{ kind: 'time', at }} label={label} format={format} />
  );
  return (
    <section className="area-box" aria-labelledby="course-state">
      <h2 className="heading-m" id="course-state">
        {state.text}
      </h2>
      <p>{words}</p>
      {state.id === 'retired' && <a href={`/admin/retired/${courseId}`}>What its page answers now</a>}
      {state.id === 'scheduled' && publishedAt && (
        <p>
          {`Planned for (${zone.name}): `}
          {time(publishedAt, 'Planned for')}
        </p>
      )}
      {closure && (
        <p>
          {closure.isOver ? `Access ended at (${zone.name}): ` : `Access ends at (${zone.name}): `}
          {time(closure.endsAt, 'Access ends')}
          {`, for this reason: ${closure.reason}`}
        </p>
      )}
    </section>
  );
}

import { useSite } from '../../api/site';
import type { LearnersProps } from '../../contracts/schema';
import { Button } from '../../ui/controls/Button';
import { ShortTable } from '../../ui/table/ShortTable';
import { tableFormatOf } from '../../ui/table/TableCell';

/** A search by what people say of themselves; there is nothing to browse in. */
export function FindLearner({ q, hits, note }: Omit<LearnersProps, 'title'>) {
  const format = tableFormatOf(useSite());
  return (
    <>
      <search>
        <form className="area-box area-find" action="/admin/learners" method="get" data-navigate="">
          <div className="field area-find__field">
            <label className="field__label" htmlFor="find-learner">
              Email, student number, order code, or name
            </label>
            <input
              id="find-learner"
              className="field__input"
              type="text"
              name="q"
              defaultValue={q}
              maxLength={254}
              autoComplete="off"
              spellCheck={false}
              required
              aria-describedby={note ? 'find-learner-note' : undefined}
            />
          </div>
          <Button>Find</Button>
        </form>
      </search>
      {note && (
        <p className="muted" id="find-learner-note" role="status">
          {note}
        </p>
      )}
      {hits && <ShortTable table={hits} format={format} />}
    </>
  );
}

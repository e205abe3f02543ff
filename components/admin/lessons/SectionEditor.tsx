import { FieldError, fieldProps } from '../../forms/FieldShell';
import { Button } from '../../ui/controls/Button';
import type { EditorProps } from './editorProps';
import { LessonRow } from './LessonRow';
import { MoveButtons } from './MoveButtons';
import { type EditedSection, newLesson, withSection, withSections } from './outlineEdits';

type SectionEditorProps = EditorProps & { section: EditedSection; place: number };

/** A section: its title, its lessons, and what can be done with it. */
export function SectionEditor({ section, place, ...editor }: SectionEditorProps) {
  const { outline, errors, change, moves, isFrozen } = editor;
  const { key, title, lessons } = section;
  const id = `section-title-${key}`;
  const error = errors[`sections.${place}.title`];
  const name = title || `section ${place + 1}`;

  function add() {
    const lesson = newLesson();
    change(withSection(outline, place, { lessons: [...lessons, lesson] }));
    moves.focusOn(`title-${lesson.key}`);
  }

  return (
    <section className="outline-section" aria-label={`Section ${place + 1}: ${title}`}>
      <header className="outline-section__head">
        <div className="outline-section__title">
          <label className="sr-only" htmlFor={id}>{`Title of section ${place + 1}`}</label>
          <input
            {...fieldProps(id, error)}
            className="field__input outline-section__input"
            data-focus={`title-${key}`}
            placeholder="Title of the section"
            maxLength={500}
            value={title}
            onChange={({ target }) =>
              change(withSection(outline, place, { title: target.value }), `section-${key}`)
            }
          />
          <FieldError id={id} error={error} />
        </div>
        {!isFrozen && (
          <>
            <MoveButtons
              name={name}
              focus={key}
              canUp={place > 0}
              canDown={place < outline.sections.length - 1}
              onStep={(step) => moves.stepSection(place, step)}
            />
            <Button
              variant="text-quiet"
              label={`Remove section: ${name}`}
              onClick={() =>
                change(
                  withSections(
                    outline,
                    outline.sections.filter((_, at) => at !== place),
                  ),
                )
              }
            >
              Remove section
            </Button>
          </>
        )}
      </header>
      <ol className="outline-section__lessons" aria-label={`Lessons of ${name}`}>
        {lessons.map((lesson, at) => (
          <LessonRow key={lesson.key} lesson={lesson} section={place} place={at} {...editor} />
        ))}
      </ol>
      {!isFrozen && (
        // biome-ignore lint/a11y/noStaticElementInteractions: dragging is another way to what the buttons do
        <div
          className={
            moves.dragged ? 'outline-section__end outline-section__end--open' : 'outline-section__end'
          }
          onDragOver={(event) => moves.dragged && event.preventDefault()}
          onDrop={() => moves.drop({ section: place, place: lessons.length })}
        >
          <Button variant="quiet" label={`Add a lesson to ${name}`} onClick={add}>
            Add a lesson
          </Button>
          {lessons.length === 0 && <span className="hint">No lessons in this section yet.</span>}
        </div>
      )}
    </section>
  );
}

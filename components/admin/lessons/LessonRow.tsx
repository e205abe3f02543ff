import type { PackagedContents } from '../../contracts/schema';
import { countOf, EditedCheck } from '../../forms/edited/EditedField';
import { FieldError, fieldProps } from '../../forms/FieldShell';
import { Badge } from '../../ui/Badge';
import { MenuButton } from '../../ui/controls/MenuButton';
import type { EditorProps } from './editorProps';
import { MoveButtons } from './MoveButtons';
import { type EditedLesson, neighbourSpot, withLesson, withoutLesson } from './outlineEdits';

type LessonRowProps = EditorProps & { lesson: EditedLesson; section: number; place: number };

export type Kind = PackagedContents['kind'];
export const KINDS: Record<Kind, string> = { text: 'Text', video: 'Video', quiz: 'Quiz', file: 'File' };

/** A lesson of the list: its title and facts, and where it goes. It can be dragged by its handle. */
export function LessonRow(props: LessonRowProps) {
  const { lesson, section, place, outline, errors, change, moves, isFrozen } = props;
  const { key } = lesson;
  const path = `sections.${section}.lessons.${place}`;
  const name = lesson.title || `new lesson ${place + 1}`;
  const set = (values: Partial<EditedLesson>, tag?: string) => change(withLesson(outline, key, values), tag);
  return (
    <li
      className={moves.dragged === key ? 'lesson-row lesson-row--dragged' : 'lesson-row'}
      onDragOver={(event) => moves.dragged && event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        moves.drop({ section, place });
      }}
    >
      {!isFrozen && (
        <span
          className="lesson-row__handle"
          draggable
          aria-hidden="true"
          title="Drag to another place"
          onDragStart={(event) => {
            event.dataTransfer.setData('text/plain', name);
            moves.drag(key);
          }}
          onDragEnd={() => moves.drag(null)}
        />
      )}
      <div className="lesson-row__texts">
        <TitleField
          lesson={lesson}
          path={path}
          errors={errors}
          onText={(title) => set({ title }, `title-${key}`)}
        />
        <div className="lesson-row__line">
          <LessonFacts {...props} name={name} />
          <div className="lesson-row__choices">
            <MinutesField
              lesson={lesson}
              name={name}
              error={errors[`${path}.minutes`]}
              onText={(text) => set({ minutes: countOf(text) }, `minutes-${key}`)}
            />
            {!isFrozen && (
              <EditedCheck
                label="Required"
                isChecked={lesson.isRequired}
                onCheck={(isRequired) => set({ isRequired })}
              />
            )}
            <EditedCheck
              label="Preview"
              isChecked={lesson.isPreview}
              onCheck={(isPreview) => set({ isPreview })}
            />
          </div>
        </div>
      </div>
      {!isFrozen && (
        <div className="lesson-row__moves">
          <MoveButtons
            name={name}
            focus={key}
            canUp={neighbourSpot(outline, key, -1) !== null}
            canDown={neighbourSpot(outline, key, 1) !== null}
            onStep={(step) => moves.step(key, step)}
          />
          <MenuButton text="More" label={`More for ${name}`} items={itemsOf(props)} />
        </div>
      )}
    </li>
  );
}

function itemsOf({ lesson: { key }, section, outline, change, moves }: LessonRowProps) {
  const others = outline.sections.flatMap(({ title }, place) =>
    place === section
      ? []
      : [
          {
            text: `Move to section ${place + 1}: ${title || 'new section'}`,
            onPress: () => moves.toSection(key, place),
          },
        ],
  );
  return [...others, { text: 'Remove this lesson', onPress: () => change(withoutLesson(outline, key)) }];
}

type FieldProps = { lesson: EditedLesson; onText: (text: string) => void };

function TitleField({
  lesson: { key, title },
  path,
  errors,
  onText,
}: FieldProps & { path: string; errors: EditorProps['errors'] }) {
  const id = `lesson-title-${key}`;
  const error = errors[`${path}.title`];
  return (
    <>
      <label className="sr-only" htmlFor={id}>
        Title of the lesson
      </label>
      <input
        {...fieldProps(id, error)}
        className="field__input lesson-row__title"
        data-focus={`title-${key}`}
        placeholder="Title of the lesson"
        maxLength={500}
        value={title}
        onChange={({ target }) => onText(target.value)}
      />
      <FieldError id={id} error={error} />
    </>
  );
}

function LessonFacts({ lesson, stored, name }: LessonRowProps & { name: string }) {
  const facts = stored.find(({ id }) => id === lesson.id);
  const { contents } = lesson;
  if (contents) {
    return (
      <p className="lesson-row__facts row">
        <Badge text={KINDS[contents.kind]} />
        <span className="hint">
          {facts
            ? 'From the course package: saving replaces what it teaches.'
            : 'From the course package: saved with the lessons.'}
        </span>
      </p>
    );
  }
  return (
    <p className="lesson-row__facts row">
      <Badge text={KINDS[facts?.kind as Kind] ?? KINDS.text} />
      {facts ? (
        <a href={facts.href} aria-label={`Write what it teaches: ${name}`}>
          Write what it teaches
        </a>
      ) : (
        <span className="hint">Save it, then write what it teaches.</span>
      )}
      {facts?.isGenerated && <span className="hint">A study sheet for now</span>}
    </p>
  );
}

function MinutesField({
  lesson: { key, minutes },
  name,
  error,
  onText,
}: FieldProps & { name: string; error: string | undefined }) {
  const id = `lesson-minutes-${key}`;
  return (
    <span className="lesson-row__minutes">
      <input
        {...fieldProps(id, error)}
        className="field__input"
        inputMode="numeric"
        aria-label={`Minutes of ${name}`}
        value={`${minutes}`}
        onChange={({ target }) => onText(target.value)}
      />
      <span aria-hidden="true">min</span>
      <FieldError id={id} error={error} />
    </span>
  );
}

import type { CourseProps, Lesson, Section } from '../../contracts/schema';
import { type Format, plural } from '../../format/format';
import { Icon } from '../../ui/Icon';
import { numbered } from '../../ui/numbered';

const LESSON_ICONS = { text: 'book', video: 'play', quiz: 'check', file: 'receipt' } as const;

type SyllabusProps = { course: CourseProps; format: Format };

export function Syllabus({ course, format }: SyllabusProps) {
  const { sections, preview } = course;
  if (sections.length === 0) return <OutlineNote />;
  const previewSection = preview ? sections.findIndex((section) => section.lessons.some(isPreview)) : -1;
  return (
    <section className="course-section" id="syllabus">
      <h2 className="course-section__title">Syllabus</h2>
      <p className="course-section__lead">{totalOf(course, format)}</p>
      <SheetNote course={course} format={format} />
      <div className="syllabus panel">
        {numbered(sections).map(({ key, value }) => (
          <SyllabusSection
            key={key}
            section={value}
            number={key + 1}
            open={key === Math.max(previewSection, 0)}
            preview={key === previewSection ? preview : null}
            format={format}
          />
        ))}
      </div>
    </section>
  );
}

/** What buyers get where there are no lessons: a guide that the shop makes of these texts. */
function OutlineNote() {
  return (
    <section className="course-section" id="syllabus">
      <h2 className="course-section__title">Syllabus</h2>
      <p className="course-section__lead">
        This course comes as an outline: one study guide, made of what you read here.
      </p>
    </section>
  );
}

/** What buyers get where the shop has made lessons from the outline. */
function SheetNote({ course: { sheetCount, lessonCount }, format }: SyllabusProps) {
  if (sheetCount === 0) return null;
  const isOutline = sheetCount * 2 > lessonCount;
  return (
    <p className="course-section__lead">
      {isOutline
        ? 'This course comes as an outline with study sheets: '
        : `${format.count(sheetCount)} of its lessons ${plural(sheetCount, 'is a study sheet', 'are study sheets')}: `}
      what a lesson covers, with questions to work on.
    </p>
  );
}

type SyllabusSectionProps = {
  section: Section;
  number: number;
  open: boolean;
  preview: CourseProps['preview'];
  format: Format;
};

function SyllabusSection({ section, number, open, preview, format }: SyllabusSectionProps) {
  const { lessons, minutes } = section;
  const readable = preview ? lessons.findIndex(isPreview) : -1;
  return (
    <details className="syllabus__section" open={open}>
      <summary className="syllabus__summary">
        <span className="syllabus__number">{number}</span>
        <h3 className="syllabus__title">{section.title}</h3>
        <span className="syllabus__total hint">{totals(lessons.length, minutes, format)}</span>
      </summary>
      <ol className="syllabus__lessons">
        {numbered(lessons).map(({ key, value: lesson }) =>
          preview && key === readable ? (
            <li key={key}>
              <PreviewLesson lesson={lesson} text={preview.text} format={format} />
            </li>
          ) : (
            <li className="syllabus__lesson" key={key}>
              <Icon name={LESSON_ICONS[lesson.kind]} />
              <span className="syllabus__lesson-title">{lesson.title}</span>
              {lesson.minutes > 0 && (
                <span className="syllabus__minutes hint">{format.duration(lesson.minutes)}</span>
              )}
            </li>
          ),
        )}
      </ol>
    </details>
  );
}

type PreviewLessonProps = { lesson: Lesson; text: string; format: Format };

function PreviewLesson({ lesson, text, format }: PreviewLessonProps) {
  const paragraphs = numbered(text.split(/\n{2,}/));
  return (
    <details className="preview" id="preview" open>
      <summary className="syllabus__lesson syllabus__lesson--preview">
        <Icon name="book" />
        <span className="syllabus__lesson-title">{lesson.title}</span>
        <span className="preview__tag">Read it here</span>
        {lesson.minutes > 0 && (
          <span className="syllabus__minutes hint">{format.duration(lesson.minutes)}</span>
        )}
      </summary>
      <div className="preview__text">
        {paragraphs.map(({ key, value }) => (
          <p key={key}>{value}</p>
        ))}
      </div>
    </details>
  );
}

function isPreview(lesson: Lesson): boolean {
  return lesson.preview;
}

function totals(lessons: number, minutes: number, format: Format): string {
  const count = `${format.count(lessons)}\u00a0${plural(lessons, 'lesson', 'lessons')}`;
  return minutes > 0 ? `${count} · ${format.duration(minutes)}` : count;
}

function totalOf({ sections, lessonCount, durationMin }: CourseProps, format: Format): string {
  const count = `${format.count(sections.length)}\u00a0${plural(sections.length, 'section', 'sections')}`;
  return `${count} · ${totals(lessonCount, durationMin ?? 0, format)}`;
}

import { CourseFrame } from '../../admin/courses/CourseFrame';
import { LessonEditor } from '../../admin/lesson/LessonEditor';
import type { CourseLessonProps } from '../../contracts/schema';
import { isolated } from '../../model/isolated';
import { RichText } from '../../ui/RichText';

export function AdminCourseLessonPage(props: CourseLessonProps) {
  const { frame, lessonId, section, place, count, fields, html, mayEdit } = props;
  return (
    <CourseFrame frame={frame}>
      <header className="area-part">
        <a href={`/admin/courses/${frame.courseId}/lessons`}>All lessons</a>
        <h2>{fields.title}</h2>
        <p className="hint">{`Lesson ${place} of ${count}, in “${isolated(section)}”`}</p>
      </header>
      {mayEdit ? (
        <LessonEditor key={lessonId} {...props} />
      ) : (
        <RichText className="prose" html={html || '<p>It has no text.</p>'} />
      )}
    </CourseFrame>
  );
}

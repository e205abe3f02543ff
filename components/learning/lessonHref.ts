/** The address of a lesson of the outline of a course. */
export const lessonHref = (course: { learnHref: string }, lesson: { id: number }) =>
  `${course.learnHref}&lesson=${lesson.id}`;

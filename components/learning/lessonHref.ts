/** The address of a lesson of the outline of a course. */
export const lessonHref = (course: { learnHref: string }, lesson: { id: number }) =>
  `${course.learnHref}&lesson=${lesson.id}`;

/** The address of the page that the course ends with. */
export const endHref = (course: { learnHref: string }) => `${course.learnHref}&lesson=end`;

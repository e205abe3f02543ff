import { optionsNamed } from '../admin/actions';

/** Courses of which seats are sold, by a part of their name. May reject with ApiProblem. */
export const soldCoursesNamed = optionsNamed('/organization/picker/courses');

import type { PickedOptions } from '../../contracts/schema';
import { get } from '../client';

/** Members of the own organisation that fit a text, for a field in which one is picked. May reject with ApiProblem. */
export const membersNamed = (text: string) => optionsOf('members', text);

/** Courses of which seats are sold, likewise. May reject with ApiProblem. */
export const soldCoursesNamed = (text: string) => optionsOf('courses', text);

async function optionsOf(kind: string, text: string) {
  return (await get<PickedOptions>(`/organization/picker/${kind}?q=${encodeURIComponent(text)}`)).options;
}

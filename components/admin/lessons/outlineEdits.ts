import type { OutlineDraft, OutlineFields } from '../../contracts/schema';
import { newUuid } from '../../model/uuid';

/** A lesson in the editor. `key`: tells new ones apart; of a stored one it is made of its id. */
export type EditedLesson = OutlineFields['sections'][number]['lessons'][number] & { key: string };
export type EditedSection = { key: string; title: string; lessons: EditedLesson[] };
export type EditedOutline = { sections: EditedSection[]; rule: OutlineFields['rule'] };

/** Where a lesson is or goes: before the lesson at `place`, or at the end. */
export type Spot = { section: number; place: number };

export function editedOutline({ sections, rule }: OutlineFields): EditedOutline {
  return {
    rule,
    // Sections have no identity of their own: the n-th stays the n-th.
    sections: sections.map(({ title, lessons }, place) => ({
      key: `section-${place}`,
      title,
      lessons: lessons.map((lesson) => ({ ...lesson, key: `lesson-${lesson.id ?? newUuid()}` })),
    })),
  };
}

export function outlineDraft({ sections, rule }: EditedOutline): OutlineDraft {
  return {
    rule,
    sections: sections.map(({ title, lessons }) => ({
      title,
      lessons: lessons.map(({ key: _, ...lesson }) => lesson),
    })),
  };
}

/** Whether every section and lesson has a title: a new one has none until it is typed. */
export function isTitled({ sections }: OutlineDraft): boolean {
  return sections.every(({ title, lessons }) =>
    [title, ...lessons.map((lesson) => lesson.title)].every((text) => text.trim()),
  );
}

export function newLesson(): EditedLesson {
  return { key: `new-${newUuid()}`, id: null, title: '', minutes: 10, isRequired: true, isPreview: false };
}

export function newSection(): EditedSection {
  return { key: `new-${newUuid()}`, title: '', lessons: [] };
}

export function withSections(outline: EditedOutline, sections: EditedSection[]): EditedOutline {
  return { ...outline, sections };
}

export function withSection(
  outline: EditedOutline,
  place: number,
  change: Partial<EditedSection>,
): EditedOutline {
  return withSections(
    outline,
    outline.sections.map((section, at) => (at === place ? { ...section, ...change } : section)),
  );
}

export function withLesson(
  outline: EditedOutline,
  key: string,
  change: Partial<EditedLesson>,
): EditedOutline {
  return withSections(
    outline,
    outline.sections.map((section) => ({
      ...section,
      lessons: section.lessons.map((lesson) => (lesson.key === key ? { ...lesson, ...change } : lesson)),
    })),
  );
}

export function withoutLesson(outline: EditedOutline, key: string): EditedOutline {
  return withSections(
    outline,
    outline.sections.map((section) => ({
      ...section,
      lessons: section.lessons.filter((lesson) => lesson.key !== key),
    })),
  );
}

export function moveSection(outline: EditedOutline, from: number, to: number): EditedOutline {
  const sections = [...outline.sections];
  const [moved] = sections.splice(from, 1);
  if (moved) sections.splice(to, 0, moved);
  return withSections(outline, sections);
}

export function spotOf({ sections }: EditedOutline, key: string): Spot {
  const section = sections.findIndex(({ lessons }) => lessons.some((lesson) => lesson.key === key));
  return { section, place: sections[section]?.lessons.findIndex((lesson) => lesson.key === key) ?? -1 };
}

/** Puts the lesson before what is at the spot now. */
export function moveLesson(outline: EditedOutline, key: string, to: Spot): EditedOutline {
  const from = spotOf(outline, key);
  const lesson = outline.sections[from.section]?.lessons[from.place];
  if (!lesson) return outline;
  const isLater = from.section === to.section && from.place < to.place;
  const place = isLater ? to.place - 1 : to.place;
  const left = withoutLesson(outline, key);
  const lessons = [...(left.sections[to.section]?.lessons ?? [])];
  lessons.splice(place, 0, lesson);
  return withSection(left, to.section, { lessons });
}

/** One up or down, over the edge of its section into the next one; null at the end of the course. */
export function neighbourSpot({ sections }: EditedOutline, key: string, step: -1 | 1): Spot | null {
  const { section, place } = spotOf({ sections } as EditedOutline, key);
  const count = sections[section]?.lessons.length ?? 0;
  if (step === -1 && place > 0) return { section, place: place - 1 };
  if (step === 1 && place < count - 1) return { section, place: place + 2 };
  const next = section + step;
  if (next < 0 || next >= sections.length) return null;
  return { section: next, place: step === -1 ? (sections[next]?.lessons.length ?? 0) : 0 };
}

/** Mine, with the lessons that the others have added since `before`: in the section of the same title, else at the end. */
export function mergedOutline(
  mine: EditedOutline,
  theirs: EditedOutline,
  before: EditedOutline,
): EditedOutline {
  const known = new Set([...idsOf(before), ...idsOf(mine)]);
  let merged = mine;
  for (const section of theirs.sections) {
    const added = section.lessons.filter(({ id }) => id !== null && !known.has(id));
    if (added.length === 0) continue;
    const place = merged.sections.findIndex(({ title }) => title === section.title);
    const own = merged.sections[place];
    merged = own
      ? withSection(merged, place, { lessons: [...own.lessons, ...added] })
      : withSections(merged, [...merged.sections, { ...section, key: newSection().key, lessons: added }]);
  }
  return merged;
}

const idsOf = ({ sections }: EditedOutline) => sections.flatMap(({ lessons }) => lessons.map(({ id }) => id));

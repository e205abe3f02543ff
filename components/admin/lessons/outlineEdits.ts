import type {
  ComingLessonView,
  CoursePackageView,
  OutlineChange,
  OutlineDraft,
  OutlineFields,
  PackagedContents,
} from '../../contracts/schema';
import { newUuid } from '../../model/uuid';

/** A lesson in the editor. `key`: tells new ones apart; of a stored one it is made of its id. */
export type EditedLesson = OutlineFields['sections'][number]['lessons'][number] & {
  key: string;
  /** What it teaches comes from a course package. */
  contents?: PackagedContents;
};
export type EditedSection = { key: string; title: string; lessons: EditedLesson[] };
export type EditedOutline = {
  sections: EditedSection[];
  rule: OutlineFields['rule'];
  /** The upload from which lessons with `contents` come. */
  packageId?: number;
};

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

/** What is saved: the draft, and the package while a lesson comes from it. */
export function outlineChange(outline: EditedOutline, version: number): OutlineChange {
  return { ...outlineDraft(outline), version, packageId: packageOf(outline) };
}

/** The upload whose lessons wait in the outline to be saved. */
export function packageOf({ sections, packageId }: EditedOutline): number | null {
  const isUsed = sections.some(({ lessons }) => lessons.some(({ contents }) => contents));
  return isUsed && packageId !== undefined ? packageId : null;
}

/** The sections of the package in place of all others. */
export function replacedByPackage(outline: EditedOutline, coming: CoursePackageView): EditedOutline {
  return { ...outline, packageId: coming.uploadId, sections: comingSections(coming, () => true) };
}

/** The sections of the package after the others; a lesson that is in the outline stays in its place. */
export function extendedByPackage(outline: EditedOutline, coming: CoursePackageView): EditedOutline {
  const present = outline.sections.flatMap(({ lessons }) => lessons);
  const ids = new Set(present.map(({ id }) => id));
  const refs = new Set(present.map(({ contents }) => contents?.ref));
  const isNew = ({ id, ref }: ComingLessonView) => (id === null || !ids.has(id)) && !refs.has(ref);
  const byId = new Map(
    coming.sections.flatMap(({ lessons }) => lessons.map((lesson) => [lesson.id, lesson])),
  );
  const sections = outline.sections.map((section) => ({
    ...section,
    lessons: section.lessons.map((lesson) => {
      const own = lesson.id === null ? undefined : byId.get(lesson.id);
      return own ? { ...comingLesson(own), key: lesson.key } : lesson;
    }),
  }));
  const added = comingSections(coming, isNew).filter(({ lessons }) => lessons.length > 0);
  return { ...outline, packageId: coming.uploadId, sections: [...sections, ...added] };
}

function comingSections(
  { sections }: CoursePackageView,
  isTaken: (lesson: ComingLessonView) => boolean,
): EditedSection[] {
  return sections.map(({ title, lessons }) => ({
    ...newSection(),
    title,
    lessons: lessons.filter(isTaken).map(comingLesson),
  }));
}

function comingLesson({
  ref,
  kind,
  id,
  title,
  minutes,
  isRequired,
  isPreview,
}: ComingLessonView): EditedLesson {
  const key = id === null ? `new-${newUuid()}` : `lesson-${id}`;
  return { key, id, title, minutes, isRequired, isPreview, contents: { ref, kind } };
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

import {
  type EditedOutline,
  editedOutline,
  isTitled,
  mergedOutline,
  moveLesson,
  moveSection,
  neighbourSpot,
  outlineDraft,
  withLesson,
} from './outlineEdits';

const RULE = {
  requiredPercent: 100,
  quizzes: 'passed' as const,
  passMark: 70,
  hasCertificate: true,
  validMonths: null,
};

/** { A: [1, 2] } */
function outline(sections: Record<string, number[]>): EditedOutline {
  return editedOutline({
    rule: RULE,
    sections: Object.entries(sections).map(([title, ids]) => ({
      title,
      lessons: ids.map((id) => ({ id, title: `${id}`, minutes: 5, isRequired: true, isPreview: false })),
    })),
  });
}

const shape = ({ sections }: EditedOutline) =>
  Object.fromEntries(sections.map(({ title, lessons }) => [title, lessons.map(({ id }) => id)]));

const START = { A: [1, 2, 3], B: [4] };

test.each([
  ['down', 1, 1, { A: [2, 1, 3], B: [4] }],
  ['up', 3, -1, { A: [1, 3, 2], B: [4] }],
  ['down over the edge', 3, 1, { A: [1, 2], B: [3, 4] }],
  ['up over the edge', 4, -1, { A: [1, 2, 3, 4], B: [] }],
] as const)('a lesson moves %s', (_, id, step, expected) => {
  const start = outline(START);
  const spot = neighbourSpot(start, `lesson-${id}`, step);
  expect(spot && shape(moveLesson(start, `lesson-${id}`, spot))).toEqual(expected);
});

test('the first goes no further up and the last no further down', () => {
  expect(neighbourSpot(outline(START), 'lesson-1', -1)).toBeNull();
  expect(neighbourSpot(outline(START), 'lesson-4', 1)).toBeNull();
});

test('a lesson is put to the end of another section, and sections change places', () => {
  const moved = moveLesson(outline(START), 'lesson-1', { section: 1, place: 1 });
  expect(shape(moved)).toEqual({ A: [2, 3], B: [4, 1] });
  expect(Object.keys(shape(moveSection(moved, 0, 1)))).toEqual(['B', 'A']);
});

test('what is sent has no keys', () => {
  expect(outlineDraft(outline({ A: [1] })).sections[0]?.lessons[0]).toEqual({
    id: 1,
    title: '1',
    minutes: 5,
    isRequired: true,
    isPreview: false,
  });
});

test.each([
  ['every section and lesson has a title', { A: [1], B: [] }, '', true],
  ['a section has none', { A: [1], ' ': [2] }, '', false],
  ['a new lesson has none', { A: [1] }, 'lesson-1', false],
])('an outline is complete enough to ask what it would do: %s', (_, sections, untitled, expected) => {
  const edited = withLesson(outline(sections as Record<string, number[]>), untitled, { title: '' });
  expect(isTitled(outlineDraft(edited))).toBe(expected);
});

test('keeping mine keeps what the others have added, and what I removed stays removed', () => {
  const mine = outline({ A: [1], B: [4] });
  const theirs = outline({ A: [1, 2, 3, 9], B: [4], C: [10] });
  expect(shape(mergedOutline(mine, theirs, outline(START)))).toEqual({ A: [1, 9], B: [4], C: [10] });
});

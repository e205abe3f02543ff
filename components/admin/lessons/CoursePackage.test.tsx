import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { SiteProvider } from '../../api/site';
import type { ComingLessonView, CoursePackageView, OutlineFields } from '../../contracts/schema';
import { browserFile } from '../../fixtures/browserFile';
import { SITE } from '../../fixtures/renderInShop';
import { UPLOAD } from '../../fixtures/uploads';
import { CoursePackage } from './CoursePackage';
import { type EditedOutline, editedOutline, outlineChange } from './outlineEdits';

const RULE: OutlineFields['rule'] = {
  requiredPercent: 100,
  quizzes: 'passed',
  passMark: 70,
  hasCertificate: true,
  validMonths: null,
};

function coming(title: string, values: Partial<ComingLessonView> = {}): ComingLessonView {
  const about = { id: null, returns: false, kind: 'text' as const, minutes: 4 };
  return {
    ref: title.toLowerCase(),
    title,
    isRequired: true,
    isPreview: false,
    lost: [],
    ...about,
    ...values,
  };
}

const PACKAGE: CoursePackageView = {
  uploadId: 3,
  name: 'payroll.imscc',
  format: 'Common Cartridge 1.3',
  title: 'Payroll',
  sections: [
    { title: 'Basics', lessons: [coming('Wages', { id: 11 }), coming('Taxes', { returns: true })] },
    {
      title: 'Practice',
      lessons: [coming('Test', { kind: 'quiz', lost: ['Question 3 does not come along.'] })],
    },
  ],
  lost: ['“Forum” is a tool of another site (LTI), which lessons here cannot open.'],
};

const STORED = { id: 11, title: 'Pay', minutes: 9, isRequired: true, isPreview: true };
const DRAFT = editedOutline({ rule: RULE, sections: [{ title: 'Now', lessons: [STORED] }] });

function open(answer: () => Response, draft: EditedOutline = DRAFT, frozen = '') {
  window.localStorage.clear();
  globalThis.fetch = async (address) =>
    String(address).startsWith('/api/uploads') ? Response.json({ ...UPLOAD, purpose: 'lesson' }) : answer();
  const onTake = jest.fn<void, [EditedOutline]>();
  const outline = { rule: RULE, sections: [] };
  const effects = { rule: '', lessons: 0, minutes: 0, owners: 0, completed: 0, completing: 0, isAll: true };
  render(
    <SiteProvider site={SITE}>
      <CoursePackage
        title="Lessons"
        frame={{ courseId: 7 } as Parameters<typeof CoursePackage>[0]['frame']}
        {...{ outline, effects, stored: [], mayEdit: true, frozen, draft, onTake }}
        cartridgeHref="/course-cartridges/7.imscc"
        cartridgeLacks={['Notes of learners.']}
      />
    </SiteProvider>,
  );
  return onTake;
}

async function send() {
  fireEvent.click(screen.getByText('Course package: import and export'));
  const file = browserFile('a package', 'payroll.imscc', 'application/zip');
  fireEvent.change(screen.getByLabelText('Course of another system'), { target: { files: [file] } });
  return screen.findByRole('region', { name: 'What payroll.imscc brings' });
}

const shape = ({ sections }: EditedOutline) =>
  sections.map(({ title, lessons }) => [title, ...lessons.map((lesson) => [lesson.id, lesson.title])]);

test('a package is shown with what it brings and loses before anything changes', async () => {
  const onTake = open(() => Response.json(PACKAGE));
  const region = within(await send());
  expect(region.getByText('2 sections, 3 lessons, of which 1 is a quiz.')).toBeVisible();
  expect(
    region.getByText(
      '2 lessons of this course would be known again, and keep progress; 1 lesson would be new.',
    ),
  ).toBeVisible();
  expect(region.getByText('4 min, replaces what this lesson teaches')).toBeVisible();
  expect(region.getByText('4 min, comes back with its progress')).toBeVisible();
  expect(region.getByText('Question 3 does not come along.')).toBeVisible();
  expect(region.getByText(/^“Forum” is a tool/)).toBeVisible();
  expect(onTake).not.toHaveBeenCalled();
});

test('added lessons stand behind the others, and one that is there keeps its place', async () => {
  const onTake = open(() => Response.json(PACKAGE));
  await send();
  fireEvent.click(screen.getByRole('button', { name: 'Add to the lessons' }));
  const [taken] = onTake.mock.lastCall ?? [];
  expect(taken && shape(taken)).toEqual([
    ['Now', [11, 'Wages']],
    ['Basics', [null, 'Taxes']],
    ['Practice', [null, 'Test']],
  ]);
  const change = outlineChange(taken as EditedOutline, 5);
  expect([change.version, change.packageId]).toEqual([5, 3]);
  expect(change.sections[2]?.lessons[0]).toEqual({
    id: null,
    title: 'Test',
    minutes: 4,
    isRequired: true,
    isPreview: false,
    contents: { ref: 'test', kind: 'quiz' },
  });
});

test('taken over a second time, nothing comes twice', async () => {
  const first = open(() => Response.json(PACKAGE));
  await send();
  fireEvent.click(screen.getByRole('button', { name: 'Add to the lessons' }));
  const [taken] = first.mock.lastCall ?? [];
  cleanup();
  const again = open(() => Response.json(PACKAGE), taken);
  await send();
  fireEvent.click(screen.getByRole('button', { name: 'Add to the lessons' }));
  expect(again.mock.lastCall && shape(again.mock.lastCall[0])).toEqual(taken && shape(taken));
});

test('the lessons of the package can stand in place of all others', async () => {
  const onTake = open(() => Response.json(PACKAGE));
  await send();
  fireEvent.click(screen.getByRole('button', { name: 'Replace all lessons' }));
  expect(onTake.mock.lastCall && shape(onTake.mock.lastCall[0])).toEqual([
    ['Basics', [11, 'Wages'], [null, 'Taxes']],
    ['Practice', [null, 'Test']],
  ]);
  expect(screen.queryByRole('region', { name: /brings/ })).toBeNull();
  const news = screen.getByText(
    'The 3 lessons of the package are in the outline now. Save them, or undo it.',
  );
  expect(news).toHaveFocus();
});

test('lessons of another package are saved first', async () => {
  const other = { ...DRAFT, packageId: 2 };
  other.sections = [
    { key: 's', title: 'A', lessons: [{ ...STORED, key: 'l', contents: { ref: 'a', kind: 'text' } }] },
  ];
  const onTake = open(() => Response.json(PACKAGE), other);
  await send();
  fireEvent.click(screen.getByRole('button', { name: 'Add to the lessons' }));
  expect(onTake).not.toHaveBeenCalled();
  expect(screen.getByText('Save the lessons of the other package before you add these.')).toBeVisible();
});

test('a file that cannot be read says what to do', async () => {
  const errors = { uploadId: 'This is a backup of Moodle. Export the course there as a Common Cartridge.' };
  open(() => Response.json({ title: 'Invalid', status: 422, detail: 'Invalid.', errors }, { status: 422 }));
  const file = browserFile('a package', 'moodle.mbz', 'application/gzip');
  fireEvent.change(screen.getByLabelText('Course of another system'), { target: { files: [file] } });
  expect(await screen.findByText(/This is a backup of Moodle/)).toBeInTheDocument();
});

test('a package without lessons says so, with what it lost', async () => {
  open(() => Response.json({ ...PACKAGE, sections: [] }));
  const file = browserFile('a package', 'payroll.imscc', 'application/zip');
  fireEvent.change(screen.getByLabelText('Course of another system'), { target: { files: [file] } });
  expect(await screen.findByText(/payroll.imscc has no lessons that can come along/)).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: /lessons/ })).toBeNull();
});

test('a retired course is exported, and nothing is imported into it', () => {
  open(() => Response.json(PACKAGE), DRAFT, 'It is retired.');
  expect(screen.queryByLabelText('Course of another system')).toBeNull();
  expect(screen.getByText('Export as Common Cartridge')).toHaveAttribute(
    'href',
    '/course-cartridges/7.imscc',
  );
  expect(screen.getByText('Notes of learners.')).toBeInTheDocument();
});

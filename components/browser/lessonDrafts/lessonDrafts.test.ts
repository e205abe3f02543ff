import { lessonDrafts } from './lessonDrafts';

beforeEach(() => window.localStorage.clear());

const DAY = 86_400_000;
const note = { body: 'Mine', version: 2 };

test('a draft is read by its learner, lesson and kind alone', () => {
  lessonDrafts.write('note', 7, 4, note);
  expect(lessonDrafts.read('note', 7, 4)).toMatchObject(note);
  expect([
    lessonDrafts.read('note', 8, 4),
    lessonDrafts.read('note', 7, 5),
    lessonDrafts.read('quiz', 7, 4),
  ]).toEqual([null, null, null]);
  lessonDrafts.remove('note', 7, 4);
  expect(lessonDrafts.read('note', 7, 4)).toBeNull();
});

test('drafts of others go after 30 days, and own ones never', () => {
  lessonDrafts.write('note', 7, 4, note);
  lessonDrafts.write('note', 8, 4, note);
  lessonDrafts.removeOld(7, Date.now() + 29 * DAY);
  expect(lessonDrafts.read('note', 8, 4)).not.toBeNull();
  lessonDrafts.removeOld(7, Date.now() + 31 * DAY);
  expect([lessonDrafts.read('note', 8, 4), lessonDrafts.read('note', 7, 4)?.body]).toEqual([null, 'Mine']);
});

test.each(['', 'null', '[]', '7', '{"at":1}', '{"answers":[]}', '{broken'])(
  'an entry %j is no draft',
  (text) => {
    window.localStorage.setItem('lesson_draft.quiz.7.4', text);
    expect(lessonDrafts.read('quiz', 7, 4)).toBeNull();
  },
);

test('where storage is refused, drafts are kept in memory', () => {
  const refused = jest.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new Error('refused');
  });
  lessonDrafts.write('note', 7, 9, note);
  refused.mockRestore();
  expect(lessonDrafts.read('note', 7, 9)).toMatchObject(note);
  lessonDrafts.remove('note', 7, 9);
});

import type { EntryList } from '../../api/admin/categories';

/** `pictureHint`: where its picture is shown. */
export type EntryKind = {
  list: EntryList;
  noun: 'category' | 'instructor';
  pictureHint: string;
};

export const CATEGORY: EntryKind = {
  list: 'categories',
  noun: 'category',
  pictureHint: 'Shown on the home page instead of a symbol. 1600 × 900 pixels fit best.',
};

export const INSTRUCTOR: EntryKind = {
  list: 'instructors',
  noun: 'instructor',
  pictureHint: 'Shown on the pages of their courses instead of their initials, cut to a circle.',
};

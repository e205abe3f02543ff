import type { ComponentProps } from 'react';
import type { EntryList } from '../../api/admin/categories';
import type { CategoryChange, InstructorChange } from '../../contracts/schema';
import type { TextField } from '../../forms/TextField';

type Input<T> = Omit<ComponentProps<typeof TextField>, 'id' | 'error' | 'name'> & {
  name: Exclude<keyof T & string, 'version'>;
};

/** `inputs`: what is written about one, by the names of the call. `pictureHint`: where its picture is shown. */
export type EntryKind = {
  list: EntryList;
  noun: 'category' | 'instructor';
  pictureHint: string;
  inputs: (Input<CategoryChange> | Input<InstructorChange>)[];
};

const NAME = { name: 'name', label: 'Name', maxLength: 255, required: true } as const;

export const CATEGORY: EntryKind = {
  list: 'categories',
  noun: 'category',
  pictureHint: 'Shown on the home page instead of a symbol. 1600 × 900 pixels fit best.',
  inputs: [
    NAME,
    {
      name: 'description',
      label: 'Text',
      hint: 'Shown above its list and in search results. Empty: the shop counts what it has.',
      rows: 4,
      maxLength: 500,
    },
    {
      name: 'position',
      label: 'Place among the categories',
      hint: 'The lowest comes first.',
      inputMode: 'numeric',
    },
  ],
};

export const INSTRUCTOR: EntryKind = {
  list: 'instructors',
  noun: 'instructor',
  pictureHint: 'Shown on the pages of their courses instead of their initials, cut to a circle.',
  inputs: [
    NAME,
    {
      name: 'title',
      label: 'What they are',
      hint: 'Such as: chartered accountant.',
      maxLength: 255,
    },
    { name: 'bio', label: 'About them', rows: 6, maxLength: 20000 },
  ],
};

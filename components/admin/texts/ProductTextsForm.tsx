import type { FormEvent, ReactNode } from 'react';
import type { CoursePreview, ItemText, ItemTextsProps } from '../../contracts/schema';
import { errorsOf, textOf } from '../../forms/call/formValues';
import { SelectField } from '../../forms/SelectField';
import { TextField } from '../../forms/TextField';
import { RichText } from '../../ui/RichText';
import { MissingNotice } from '../previews/MissingNotice';
import { useTextPreview } from '../previews/useTextPreview';
import { EditForm } from './EditForm';
import { useEditForm } from './useEditForm';

/** What differs between courses and items. */
export type ProductTexts<T extends ItemText> = {
  read: (data: FormData) => T;
  save: (id: number, texts: T & { version: number }) => Promise<unknown>;
  preview: (id: number, texts: T) => Promise<CoursePreview>;
};

export type Field<T> = ReturnType<typeof useEditForm<T & object>>['field'];

type ProductTextsFormProps<T extends ItemText> = Pick<
  ItemTextsProps,
  'frame' | 'categories' | 'descriptionHtml'
> & {
  fields: T;
  texts: ProductTexts<T>;
  /** The fields that only this kind has. */
  more?: (field: Field<T>) => ReactNode;
};

/** The texts of a course or shop item, with the description as the shop will show it. */
export function ProductTextsForm<T extends ItemText>(props: ProductTextsFormProps<T>) {
  const { frame, fields, categories, descriptionHtml, texts, more } = props;
  const { preview, isFailed, show } = useTextPreview((typed: T) => texts.preview(frame.courseId, typed), {
    html: descriptionHtml,
    missing: [],
  });
  const { form, field } = useEditForm(
    (typed: T, version) => texts.save(frame.courseId, { ...typed, version }),
    fields,
    {
      read: texts.read,
      check: ({ name }) => errorsOf({ name: !name && 'Enter a name.' }),
      version: frame.version,
      draft: `${frame.kind}-texts-${frame.courseId}`,
      saved: 'The texts are saved.',
    },
  );

  function typed(event: FormEvent<HTMLFormElement>) {
    form.formProps.onInput();
    show(texts.read(new FormData(event.currentTarget)));
  }

  return (
    <EditForm form={form} save="Save texts" isWide onInput={typed}>
      <TextField {...field('name')} label="Name" maxLength={255} required />
      <TextField {...field('subtitle')} label="Subtitle" maxLength={500} />
      <TextField
        {...field('description')}
        label="Description"
        hint="Markdown: **bold**, lists with -, headings with ##, [a link](https://…)."
        rows={12}
      />
      <section className="area-box" aria-label="Preview of the description">
        <h2 className="heading-s">Preview</h2>
        {preview.html ? (
          <RichText className="prose" html={preview.html} />
        ) : (
          <p className="muted">No text yet.</p>
        )}
        {isFailed && <p className="hint">The preview could not be loaded. It is tried again as you type.</p>}
      </section>
      <div role="status">
        <MissingNotice missing={preview.missing} />
      </div>
      <SelectField {...field('category')} label="Category" options={categories} required />
      {more?.(field)}
    </EditForm>
  );
}

/** The fields that both have. */
export function textsIn(data: FormData): ItemText {
  return {
    name: textOf(data, 'name'),
    subtitle: textOf(data, 'subtitle'),
    description: textOf(data, 'description'),
    category: textOf(data, 'category'),
  };
}

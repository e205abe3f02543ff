import { type FormEvent, useId } from 'react';
import { saveTexts } from '../../api/admin/courses';
import { useRefresh } from '../../api/session/privatePage';
import type { CourseText, CourseTextsProps } from '../../contracts/schema';
import { FormStatus } from '../../forms/call/FormStatus';
import { errorsOf, textOf } from '../../forms/call/formValues';
import { useCallForm } from '../../forms/call/useCallForm';
import { SelectField } from '../../forms/SelectField';
import { TextField } from '../../forms/TextField';
import { Button } from '../../ui/controls/Button';
import { RichText } from '../../ui/RichText';
import { notify } from '../../ui/toasts/toasts';
import { MissingNotice } from './CourseFrame';
import { useTextPreview } from './useTextPreview';

/** The texts of a course, with the description as the shop will show it beside. */
export function CourseTextsForm(props: CourseTextsProps) {
  const { frame, fields, categories, levels, languages, instructors, descriptionHtml } = props;
  const id = useId();
  const refresh = useRefresh();
  const { preview, isFailed, show } = useTextPreview(frame.courseId, { html: descriptionHtml, missing: [] });
  const form = useCallForm((texts: CourseText, version) => saveTexts(frame.courseId, { ...texts, version }), {
    read: textsIn,
    check: ({ name }) => errorsOf({ name: !name && 'Enter a name.' }),
    version: frame.version,
    draft: `course-texts-${frame.courseId}`,
    asksBeforeLeaving: true,
    onSuccess: () => {
      void notify('success', 'The texts are saved.');
      refresh().catch(() => undefined);
    },
  });

  function typed(event: FormEvent<HTMLFormElement>) {
    form.formProps.onInput();
    show(textsIn(new FormData(event.currentTarget)));
  }

  const field = (name: keyof CourseText & string) => ({
    id: `${id}-${name}`,
    name,
    defaultValue: `${fields[name]}`,
    error: form.errors[name],
  });
  return (
    <form className="area-form area-form--wide" {...form.formProps} onInput={typed}>
      <FormStatus form={form} />
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
      <SelectField {...field('level')} label="Level" options={levels} />
      <SelectField {...field('language')} label="Language" options={languages} />
      <TextField
        {...field('durationMinutes')}
        label="Duration in minutes"
        hint="Its page needs one; timed lessons set it too."
        inputMode="numeric"
      />
      <TextField
        {...field('provider')}
        label="Provider"
        hint="Empty: the shop itself offers it."
        maxLength={255}
      />
      <TextField
        {...field('instructors')}
        label="Instructors"
        hint={`The short name of each on a line of its own. ${shortNames(instructors)}`}
        rows={3}
        spellCheck={false}
      />
      <Button isBusy={form.isBusy} busyText="Saving…">
        Save texts
      </Button>
    </form>
  );
}

const SHOWN_NAMES = 6;

function shortNames(instructors: CourseTextsProps['instructors']): string {
  const names = instructors.slice(0, SHOWN_NAMES).map(({ value, label }) => `${value} (${label})`);
  return names.length > 0 ? `Such as ${names.join(', ')}.` : '';
}

function textsIn(data: FormData): CourseText {
  return {
    name: textOf(data, 'name'),
    subtitle: textOf(data, 'subtitle'),
    description: textOf(data, 'description'),
    category: textOf(data, 'category'),
    level: textOf(data, 'level'),
    language: textOf(data, 'language'),
    provider: textOf(data, 'provider'),
    instructors: textOf(data, 'instructors'),
    durationMinutes: Number(textOf(data, 'durationMinutes').replace(/\D/g, '') || 0),
  };
}

import { type FormEvent, useId } from 'react';
import { useNavigate } from 'react-router-dom';
import { previewContent, publishContent } from '../../api/admin/content';
import { useRefresh } from '../../api/session/privatePage';
import type { ContentChange, ContentEditProps } from '../../contracts/schema';
import { FormStatus } from '../../forms/call/FormStatus';
import { errorsOf, textOf } from '../../forms/call/formValues';
import { useCallForm } from '../../forms/call/useCallForm';
import { TextField } from '../../forms/TextField';
import { Button } from '../../ui/controls/Button';
import { RichText } from '../../ui/RichText';
import { notify } from '../../ui/toasts/toasts';
import { useTextPreview } from '../previews/useTextPreview';
import { RefundDaysFields } from './RefundDaysFields';

type Values = Omit<ContentChange, 'version'>;

/** The text of a written page, with what the shop will show of it below. */
export function ContentForm(props: ContentEditProps) {
  const { slug, version, shownVersion, fields, refundDays, html } = props;
  const id = useId();
  const navigate = useNavigate();
  const refresh = useRefresh();
  const { preview, isFailed, show } = useTextPreview((body: string) => previewContent(slug, body), { html });
  const form = useCallForm((page: Values, seen) => publishContent(slug, { ...page, version: seen }), {
    read: (data): Values => ({
      title: textOf(data, 'title'),
      description: textOf(data, 'description'),
      body: textOf(data, 'body'),
      refundDays: Object.fromEntries(refundDays.map(({ kind }) => [kind, daysOf(data, kind)])),
    }),
    check: ({ title, body, refundDays: days }) =>
      errorsOf({
        title: !title && 'Enter a title.',
        body: !body && 'Enter the text of the page.',
        ...Object.fromEntries(
          Object.entries(days ?? {}).map(([kind, count]) => [
            `refundDays.${kind}`,
            !Number.isInteger(count) && 'Enter whole days.',
          ]),
        ),
      }),
    version,
    draft: `content-${slug}-${shownVersion}`,
    asksBeforeLeaving: true,
    onSuccess: () => {
      void notify('success', 'The page is published.');
      if (shownVersion === version) refresh().catch(() => undefined);
      else navigate(`/admin/content/${slug}`);
    },
  });

  function typed(event: FormEvent<HTMLFormElement>) {
    form.formProps.onInput();
    show(textOf(new FormData(event.currentTarget), 'body'));
  }

  const field = (name: keyof ContentEditProps['fields']) => ({
    id: `${id}-${name}`,
    name,
    defaultValue: fields[name],
    error: form.errors[name],
  });
  return (
    <form className="area-form area-form--wide" {...form.formProps} onInput={typed}>
      <FormStatus form={form} />
      <TextField {...field('title')} label="Title" maxLength={255} required />
      <TextField
        {...field('description')}
        label="Description"
        hint="One or two sentences for search engines."
        rows={2}
        maxLength={500}
        required
      />
      <TextField
        {...field('body')}
        label="Text"
        hint="Markdown: **bold**, lists with -, headings with ##, [a link](https://…)."
        rows={18}
        required
      />
      <section className="area-box" aria-label="Preview of the text">
        <h2 className="heading-s">Preview</h2>
        <RichText className="prose" html={preview.html} />
        {isFailed && <p className="hint">The preview could not be loaded. It is tried again as you type.</p>}
      </section>
      {refundDays.length > 0 && <RefundDaysFields id={id} refundDays={refundDays} errors={form.errors} />}
      <Button isBusy={form.isBusy} busyText="Publishing…">
        Publish version {version + 1}
      </Button>
    </form>
  );
}

/** NaN for what is no number of days: every order is placed with what is published. */
function daysOf(data: FormData, kind: string): number {
  const text = textOf(data, `refundDays.${kind}`);
  return /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
}

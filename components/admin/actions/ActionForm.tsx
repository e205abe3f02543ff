import { type FormEvent, Fragment, type ReactNode, useId, useRef, useState } from 'react';
import fieldStyles from '../../../static/css/fields.css?text';
import {
  type ActionBody,
  type ActionOutcome,
  carryOut,
  previewAction,
  undoAction,
} from '../../api/admin/actions';
import { forgetPages } from '../../api/pages';
import { useRefresh } from '../../api/session/privatePage';
import { useSite } from '../../api/site';
import { navigateTo } from '../../browser/navigation';
import { useNavigate } from '../../browser/useNavigate';
import type { ActionPageProps, ActionPreview } from '../../contracts/schema';
import { apiErrorText } from '../../forms/call/apiErrorText';
import { FormStatus } from '../../forms/call/FormStatus';
import { type FieldTexts, fieldTexts } from '../../forms/call/formValues';
import { useCallForm } from '../../forms/call/useCallForm';
import { newUuid } from '../../model/uuid';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { Button } from '../../ui/controls/Button';
import { RichText } from '../../ui/RichText';
import { offerUndo } from '../../ui/toasts/offerUndo';
import { notify } from '../../ui/toasts/toasts';
import { useStyles } from '../../ui/useStyles';
import { Fold } from '../Fold';
import { ActionEffects, EffectList } from './ActionEffects';
import { ActionField } from './ActionField';
import { bodyOf, type Field, isShown, textsOfValues, wordsOfField, wrongFields } from './fieldValues';
import { useActionPreview } from './useActionPreview';

export type Action = ActionPageProps['actions'][number];
/** `box`: under its heading; `fold`: opens under it; `wide`: the page is about nothing else. */
export type ActionFrame = 'box' | 'fold' | 'wide';

type ActionFormProps = {
  action: Action;
  frame?: ActionFrame;
  /** What becomes of Markdown, by the name of its field, until something is typed. */
  html?: Record<string, string>;
  /** Beside a wide form: what becomes of what is typed; `read`: what the form would send now. */
  beside?: (live: { preview: ActionPreview | null; isFailed: boolean; read: () => ActionBody }) => ReactNode;
};

/** One thing that can be done: its fields, what it will do, the question before it, and what was done as a notice. */
export function ActionForm({ action, frame = 'box', html = {}, beside }: ActionFormProps) {
  useStyles(fieldStyles);
  const { text, button, isDangerous, fields, isEditor = false } = action;
  const id = useId();
  const { form, formProps, hidden, live, question, read } = useActionForm(action);
  const content = (
    <>
      {text && <p className="muted">{text}</p>}
      <form
        className={frame === 'wide' ? 'area-form area-form--wide' : 'area-form'}
        aria-label={frame === 'wide' ? action.title : undefined}
        {...formProps}
      >
        <FormStatus form={form} />
        {groupsOf(fields).map(({ heading, members }) => (
          <FieldGroup key={members[0]?.name} heading={heading}>
            {members.map((field) => (
              <Fragment key={field.name}>
                <Shown isOn={!hidden.includes(field.name)} isSometimes={field.shownIf !== undefined}>
                  <ActionField
                    field={field}
                    id={`${id}-${field.name}`}
                    error={form.errors[field.name]}
                    isEditor={isEditor}
                  />
                </Shown>
                {field.kind === 'markdown' && (
                  <MarkdownPreview
                    label={field.label}
                    html={live.preview?.html[field.name] ?? html[field.name] ?? ''}
                    isFailed={live.isFailed}
                  />
                )}
              </Fragment>
            ))}
          </FieldGroup>
        ))}
        {action.preview?.when === 'typed' && <ActionEffects preview={live.preview} />}
        <Button variant={isDangerous ? 'danger' : 'main'} isBusy={form.isBusy} busyText="Saving…">
          {button}
        </Button>
        {question}
      </form>
    </>
  );
  if (frame === 'wide')
    return beside ? (
      <div className="form-beside">
        <div>{content}</div>
        {beside({ preview: live.preview, isFailed: live.isFailed, read })}
      </div>
    ) : (
      content
    );
  if (frame === 'fold')
    return (
      // What was typed before a new sign-in is shown again.
      <Fold title={action.title} isOpen={form.draft.isRestored}>
        {content}
      </Fold>
    );
  return (
    <section className="area-box" aria-labelledby={`${id}-title`}>
      <h2 className="heading-m" id={`${id}-title`}>
        {action.title}
      </h2>
      {content}
    </section>
  );
}

type Sent = { body: ActionBody; wrong: Record<string, string> };

/** The form of an action: what it sends, the question before it, and what is said after it. */
function useActionForm(action: Action) {
  const { call, fields, version, preview, isEditor = false } = action;
  const site = useSite();
  const finish = useFinish(action);
  const live = useActionPreview(preview?.when === 'typed' ? preview.call : null);
  const confirmed = useRef<ActionPreview | true | null>(null);
  const [pending, setPending] = useState<ActionPreview | true | null>(null);
  const [hidden, setHidden] = useState(() => hiddenFields(fields, firstTexts(fields)));
  const key = useRef('');
  const shown = fields.filter(({ name }) => !hidden.includes(name));
  const read = (data: FormData) => ({
    body: bodyOf(shown, data, site),
    wrong: wrongFields(shown, data, site),
  });

  async function send({ body }: Sent, seen: number): Promise<ActionOutcome | null> {
    const known = version === undefined ? body : { ...body, version: seen };
    const answer = confirmed.current;
    confirmed.current = null;
    if (answer === null && preview?.when === 'confirmed') {
      setPending(await previewAction(preview.call, known));
      return null;
    }
    key.current ||= action.isIdempotent ? newUuid() : '';
    const more = answer === null || answer === true ? {} : answer.confirmed;
    const outcome = await carryOut(action, { ...known, ...more }, key.current);
    key.current = '';
    return outcome;
  }

  const form = useCallForm(send, {
    read,
    check: ({ wrong }) => wrong,
    ...(version !== undefined && { version }),
    // A page may have several forms of one call.
    draft: fields.length > 0 ? `${call}#${action.id}` : '',
    asksBeforeLeaving: isEditor,
    texts: (values) => textsOfValues(fields, values, site),
    words: (name, texts) => wordsOfField(fields, name, texts),
    isDone: (outcome) => outcome !== null,
    onSuccess: (outcome, element) => {
      if (outcome === null) return;
      if (!isEditor) element.reset();
      setHidden(unlessSame(hiddenFields(fields, fieldTexts(element))));
      finish(outcome);
    },
  });

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    const element = event.currentTarget;
    const isQuestion = action.question && confirmed.current === null && preview?.when !== 'confirmed';
    if (isQuestion && Object.keys(read(new FormData(element)).wrong).length === 0) {
      event.preventDefault();
      setPending(true);
      return;
    }
    form.formProps.onSubmit(event);
  }

  function onInput(event: FormEvent<HTMLFormElement>) {
    form.formProps.onInput();
    // What was shown was of other values.
    key.current = '';
    const element = event.currentTarget;
    const nowHidden = hiddenFields(fields, fieldTexts(element));
    // Nothing is drawn again for most of what is typed: an editor's text may come as an event for each of its lines.
    setHidden(unlessSame(nowHidden));
    const nowShown = fields.filter(({ name }) => !nowHidden.includes(name));
    const data = new FormData(element);
    const body = bodyOf(nowShown, data, site);
    const isComplete = element.checkValidity() && Object.keys(wrongFields(nowShown, data, site)).length === 0;
    live.show(isComplete ? (version === undefined ? body : { ...body, version }) : null);
  }

  const question = pending && (
    <Question
      action={action}
      preview={pending === true ? null : pending}
      onYes={() => {
        confirmed.current = pending;
        form.formProps.ref.current?.requestSubmit();
      }}
      onClose={() => setPending(null)}
    />
  );
  const readNow = () => {
    const element = form.formProps.ref.current;
    return element ? read(new FormData(element)).body : {};
  };
  return { form, formProps: { ...form.formProps, onSubmit, onInput }, hidden, live, question, read: readNow };
}

/** Says what was done, with an offer to undo it, and shows the page after it. */
function useFinish({ leadsTo }: Action) {
  const refresh = useRefresh();
  const navigate = useNavigate();
  // The change is made; what is shown is loaded again with the next page at the latest.
  const showAgain = () => void refresh().catch(() => undefined);
  return ({ text, href, undo }: ActionOutcome) => {
    // The list of what was changed may have been fetched a moment ago.
    forgetPages();
    const takeBack = (change: NonNullable<typeof undo>) =>
      undoAction(change).then(showAgain, (problem: unknown) => notify('error', apiErrorText(problem)));
    if (undo) void offerUndo(text, () => void takeBack(undo));
    else void notify('success', text);
    if (href?.startsWith('/admin/')) navigate(href);
    else if (href) navigateTo(href);
    else if (leadsTo) navigate(leadsTo);
    else showAgain();
  };
}

type QuestionProps = {
  action: Action;
  preview: ActionPreview | null;
  onYes: () => void;
  onClose: () => void;
};

function Question({
  action: { title, question, button, isDangerous },
  preview,
  onYes,
  onClose,
}: QuestionProps) {
  const yes = preview?.button ?? button;
  return (
    <ConfirmDialog
      question={`${preview ? yes : title}?`}
      text={question ?? ''}
      yes={yes}
      isHarmless={!isDangerous}
      no="Cancel"
      onYes={onYes}
      onClose={onClose}
    >
      {preview && preview.effects.length > 0 && <EffectList effects={preview.effects} />}
    </ConfirmDialog>
  );
}

type Group = { heading: string; members: Field[] };

/** Neighbours with the same heading. */
function groupsOf(fields: Field[]): Group[] {
  const groups: Group[] = [];
  for (const field of fields) {
    const last = groups.at(-1);
    if (last && last.heading === (field.group ?? '')) last.members.push(field);
    else groups.push({ heading: field.group ?? '', members: [field] });
  }
  return groups;
}

function FieldGroup({ heading, children }: { heading: string; children: ReactNode }) {
  if (!heading) return children;
  return (
    <fieldset className="area-form__group">
      <legend className="heading-s">{heading}</legend>
      {children}
    </fieldset>
  );
}

/** A field that is not shown is not sent, and what was typed in it stays. */
function Shown({
  isOn,
  isSometimes,
  children,
}: {
  isOn: boolean;
  isSometimes: boolean;
  children: ReactNode;
}) {
  if (!isSometimes) return children;
  return (
    <fieldset className="field-set" disabled={!isOn} hidden={!isOn}>
      {children}
    </fieldset>
  );
}

function MarkdownPreview({ label, html, isFailed }: { label: string; html: string; isFailed: boolean }) {
  return (
    <section className="area-box" aria-label={`Preview of ${label}`}>
      <h2 className="heading-s">Preview</h2>
      {html ? <RichText className="prose" html={html} /> : <p className="muted">No text yet.</p>}
      {isFailed && <p className="hint">The preview could not be loaded. It is tried again as you type.</p>}
    </section>
  );
}

const hiddenFields = (fields: Field[], texts: FieldTexts) =>
  fields.filter((field) => !isShown(field, texts)).map(({ name }) => name);

const unlessSame = (next: string[]) => (known: string[]) => (known.join() === next.join() ? known : next);

/** What the fields hold before anything is typed. */
const firstTexts = (fields: Field[]): FieldTexts =>
  Object.fromEntries(fields.map(({ name, value, values }) => [name, values ?? [value]]));

import { Suspense, useState } from 'react';
import lessonStyles from '../../../static/css/lesson-editor.css?text';
import { previewLesson, saveLesson, storeLessonFile } from '../../api/admin/lessons';
import { useRefresh } from '../../api/session/privatePage';
import { useSite } from '../../api/site';
import type { CourseLessonProps, LessonFields, LessonFileFields, StoredFile } from '../../contracts/schema';
import { fileSize } from '../../format/fileSize';
import { formatOf } from '../../format/format';
import { CallError } from '../../forms/call/SignInAgain';
import { useCall } from '../../forms/call/useCall';
import { countOf, EditedField, EditedSelect } from '../../forms/edited/EditedField';
import { EditedStatus } from '../../forms/edited/EditedStatus';
import { SaveBar } from '../../forms/edited/SaveBar';
import { useEditedValue } from '../../forms/edited/useEditedValue';
import { FieldError } from '../../forms/FieldShell';
import { Button } from '../../ui/controls/Button';
import { lazyComponent } from '../../ui/loading/lazyComponent';
import { Notice } from '../../ui/Notice';
import { RichText } from '../../ui/RichText';
import { notify } from '../../ui/toasts/toasts';
import { FileUpload } from '../../ui/upload/FileUpload';
import { useStyles } from '../../ui/useStyles';
import { useTypedPreview } from '../useTypedPreview';
import type { PartProps } from './partProps';
import { TracksPart } from './TracksPart';

const QuizPart = lazyComponent(async () => (await import('./QuizPart')).QuizPart);
const KINDS = [
  { value: 'text', label: 'Text' },
  { value: 'video', label: 'Video' },
  { value: 'quiz', label: 'Quiz' },
  { value: 'file', label: 'File to download' },
];
const TEXT_HINTS: Record<string, string> = {
  text: 'What the lesson teaches.',
  video: 'Shown below the video. May be empty.',
  quiz: 'Shown above the questions. May be empty.',
  file: 'Says what the file is for. May be empty.',
};
// Errors that a part shows itself.
const AT_FIELDS = /^(?:title|minutes|text|kind|tracks|videos|embedUrl|file|questions|attempts|waitMinutes)/;

/** What one lesson teaches. */
export function LessonEditor({
  frame,
  lessonId,
  fields: stored,
  html,
  languages,
  isGenerated,
  isFrozen,
}: CourseLessonProps) {
  useStyles(lessonStyles);
  const refresh = useRefresh();
  const [isNew, setNew] = useState(isGenerated);
  const edited = useEditedValue<LessonFields>({
    stored,
    version: frame.version,
    draft: `lesson-${lessonId}`,
    send: (value, version) => saveLesson(lessonId, { ...value, version }),
    read: (values) => values as LessonFields,
    onSaved: () => {
      setNew(false);
      void notify('success', 'The lesson is saved.');
      refresh().catch(() => undefined);
    },
  });
  const { value, change, call } = edited;
  const set: PartProps['set'] = (values, tag) => change({ ...value, ...values }, tag);
  const part = { fields: value, errors: call.errors, set };
  // The sheet that the shop made is a lesson's only text, not what stands beside a video or above questions.
  const textFor = (kind: string) => {
    if (!isNew || (value.text !== stored.text && value.text !== '')) return {};
    return { text: kind === 'text' ? stored.text : '' };
  };
  const elsewhere = Object.entries(call.errors).filter(([name]) => !AT_FIELDS.test(name));
  return (
    <div className="lesson-editor">
      <EditedStatus
        edited={edited}
        text={elsewhere.map(([, text]) => text).join(' ')}
        keeps="With yours, theirs of this lesson is replaced; other lessons stay as they have saved them."
      />
      {isNew && (
        <Notice kind="info" title="Nobody has written this lesson yet">
          <p>Learners see a study sheet that the shop made of the course’s texts. Yours replaces it.</p>
        </Notice>
      )}
      <div className="lesson-editor__facts">
        <EditedField
          label="Title"
          value={value.title}
          maxLength={500}
          onText={(title) => set({ title }, 'title')}
          error={call.errors.title}
        />
        <EditedSelect
          label="Kind"
          value={value.kind}
          options={isFrozen ? KINDS.filter(({ value: kind }) => kind === stored.kind) : KINDS}
          onChoose={(kind) => set({ kind: kind as LessonFields['kind'], ...textFor(kind) })}
          error={call.errors.kind}
        />
        <EditedField
          label="Minutes"
          inputMode="numeric"
          value={`${value.minutes}`}
          onText={(text) => set({ minutes: countOf(text) }, 'minutes')}
          error={call.errors.minutes}
        />
      </div>
      {value.kind === 'video' && <VideoPart {...part} languages={languages} />}
      {value.kind === 'file' && <FilePart {...part} />}
      <TextPart {...part} html={html} hint={TEXT_HINTS[value.kind] ?? ''} />
      {value.kind === 'quiz' && (
        <Suspense>
          <QuizPart {...part} />
        </Suspense>
      )}
      <SaveBar edited={edited} button="Save lesson" />
    </div>
  );
}

/** The file that a lesson offers. */
function FilePart({ fields, errors, set }: PartProps) {
  return (
    <section className="area-box lesson-part" aria-labelledby="lesson-file">
      <h2 className="heading-m" id="lesson-file">
        File
      </h2>
      <FileRows files={fields.file ? [fields.file] : []} onRemove={() => set({ file: null })} />
      <LessonUpload
        label={fields.file ? 'Another file instead' : 'The file'}
        accept="application/pdf,image/png,image/jpeg,image/webp"
        hint="A PDF, or a PNG, JPEG or WebP image."
        onFile={(file) => set({ file })}
      />
      <FieldError id="lesson-file" error={errors.file} />
    </section>
  );
}

/** The video of a lesson: files of this site or a video of another one, with captions and transcript. */
function VideoPart(props: PartProps & Pick<CourseLessonProps, 'languages'>) {
  const { fields, errors, set } = props;
  const { videos, embedUrl, embedTitle } = fields;
  return (
    <>
      <section className="area-box lesson-part" aria-labelledby="lesson-video">
        <h2 className="heading-m" id="lesson-video">
          Video
        </h2>
        <FieldError id="lesson-video" error={errors.videos} />
        <FileRows
          files={videos}
          onRemove={(file) => set({ videos: videos.filter((other) => other !== file) })}
        />
        {!embedUrl && (
          <LessonUpload
            label={videos.length > 0 ? 'The same video in another format' : 'Video file'}
            accept="video/mp4,video/webm,audio/mpeg,audio/mp4"
            hint="MP4, WebM, MP3 or M4A, up to 2 GiB. It goes on where it was after a lost connection."
            onFile={(file) => set({ videos: [...videos.filter((v) => v.sha256 !== file.sha256), file] })}
          />
        )}
        {videos.length === 0 && (
          <>
            <EditedField
              label="Or a video of another site"
              hint="Its https address. Learners load it only when they ask for it."
              inputMode="url"
              value={embedUrl}
              onText={(text) => set({ embedUrl: text.trim() }, 'embed-url')}
              error={errors.embedUrl}
            />
            {embedUrl && (
              <EditedField
                label="What the video is called there"
                value={embedTitle}
                onText={(text) => set({ embedTitle: text }, 'embed-title')}
              />
            )}
          </>
        )}
      </section>
      <TracksPart {...props} />
    </>
  );
}

const MAX_BYTES = 2 * 2 ** 30;

type LessonUploadProps = { label: string; accept: string; hint: string; onFile: (file: StoredFile) => void };

/** Sends a file for a lesson and keeps it. */
function LessonUpload({ label, accept, hint, onFile }: LessonUploadProps) {
  const call = useCall();
  return (
    <div className="lesson-upload">
      <CallError
        call={{ ...call, text: [call.text, ...Object.values(call.errors)].filter(Boolean).join(' ') }}
      />
      <FileUpload
        purpose="lesson"
        label={label}
        accept={accept}
        hint={hint}
        maxBytes={MAX_BYTES}
        onDone={(upload) => void call.run(async () => onFile(await storeLessonFile(upload.id)))}
      />
    </div>
  );
}

type FileRowsProps = { files: LessonFileFields[]; onRemove: (file: LessonFileFields) => void };

/** The files of a lesson, each with its size. */
function FileRows({ files, onRemove }: FileRowsProps) {
  const format = formatOf(useSite());
  if (files.length === 0) return null;
  return (
    <ul className="lesson-files">
      {files.map((file) => (
        <li key={file.sha256} className="row">
          <strong>{file.name || file.mediaType}</strong>
          <span className="hint">{`${file.mediaType}, ${fileSize(file.bytes, format)}`}</span>
          <Button
            variant="text-quiet"
            label={`Remove ${file.name || 'the file'}`}
            onClick={() => onRemove(file)}
          >
            Remove
          </Button>
        </li>
      ))}
    </ul>
  );
}

/** The Markdown of a lesson, with the host's own preview beside it. */
function TextPart({ fields, errors, set, html, hint }: PartProps & { html: string; hint: string }) {
  const { preview, isFailed } = useTypedPreview(fields.text, html, (text) =>
    previewLesson(text).then((answer) => answer.html),
  );
  return (
    <div className="lesson-editor__pair">
      <EditedField
        label="Text"
        hint={`${hint} Markdown: **bold**, lists with -, headings with ##, [a link](https://…), tables with |.`}
        rows={16}
        value={fields.text}
        onText={(text) => set({ text }, 'text')}
        error={errors.text}
      />
      <section
        className="area-box lesson-editor__preview"
        aria-label="Preview of the text"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
      >
        <h2 className="heading-s">As learners read it</h2>
        {preview ? <RichText className="prose" html={preview} /> : <p className="muted">No text yet.</p>}
        {isFailed && <p className="hint">The preview could not be loaded. It is tried again as you type.</p>}
      </section>
    </div>
  );
}

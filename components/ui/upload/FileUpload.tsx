import { type DragEvent, useId, useState } from 'react';
import uploadStyles from '../../../static/css/upload.css?text';
import type { Purpose } from '../../api/admin/uploads';
import { useSite } from '../../api/site';
import type { Upload } from '../../contracts/schema';
import { formatOf } from '../../format/format';
import { Button } from '../controls/Button';
import { Progress } from '../loading/Progress';
import { useStyles } from '../useStyles';
import { type UploadControl, useUpload } from './useUpload';

type FieldProps = {
  label: string;
  /** What may be chosen, as the attribute of the same name; what the file is, the site finds out by itself. */
  accept: string;
  hint?: string;
};
type FileUploadProps = FieldProps & {
  purpose: Purpose;
  maxBytes: number;
  onDone: (upload: Upload) => void;
};

/** A file is dropped, pasted or picked, and sent in parts; it can be paused, and goes on after a reload. */
export function FileUpload({ purpose, maxBytes, onDone, ...field }: FileUploadProps) {
  return <UploadField upload={useUpload(purpose, maxBytes, onDone)} {...field} />;
}

/** What a file upload shows in each of its states. */
export function UploadField({ upload, label, accept, hint }: FieldProps & { upload: UploadControl }) {
  useStyles(uploadStyles);
  const id = useId();
  const [isOver, setIsOver] = useState(false);
  const take = (files: FileList | null | undefined) => {
    const file = files?.[0];
    if (file) upload.choose(file);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    take(event.dataTransfer.files);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping and pasting are other ways to what the field does
    <div
      className={isOver ? 'upload upload--over' : 'upload'}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
      onPaste={(event) => take(event.clipboardData.files)}
    >
      <label className="upload__label" htmlFor={id}>
        {label}
      </label>
      <input
        id={id}
        className="file-input"
        type="file"
        accept={accept}
        aria-describedby={hint && `${id}-hint`}
        onChange={(event) => {
          take(event.currentTarget.files);
          // Empty, so that this file can be chosen again.
          event.currentTarget.value = '';
        }}
      />
      {hint && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <UploadProgress upload={upload} />
    </div>
  );
}

const WORDS = { sending: 'Sending', paused: 'Paused', failed: 'Not sent', done: 'Sent' };

function UploadProgress({ upload: { file, sent, state, error, pause, resume } }: { upload: UploadControl }) {
  const format = formatOf(useSite());
  if (!file || state === 'empty') return null;
  const percent = state === 'done' ? 100 : Math.floor((sent / Math.max(1, file.size)) * 100);
  return (
    <div className="upload__progress">
      {file.size > 0 && (
        <Progress
          label={`${WORDS[state]}: ${file.name}`}
          value={percent}
          text={format.percent(String(percent))}
        />
      )}
      {error && (
        <p className="upload__error" role="alert">
          {error}
        </p>
      )}
      <div className="row upload__actions">
        {state === 'sending' && (
          <Button variant="quiet" onClick={pause}>
            Pause
          </Button>
        )}
        {(state === 'paused' || (state === 'failed' && file.size > 0)) && (
          <Button variant="quiet" onClick={resume}>
            {state === 'paused' ? 'Go on' : 'Try again'}
          </Button>
        )}
      </div>
    </div>
  );
}

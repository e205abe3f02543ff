import { storeLessonFile } from '../../api/admin/lessons';
import type { StoredFile } from '../../contracts/schema';
import { CallError } from '../../forms/call/SignInAgain';
import { useCall } from '../../forms/call/useCall';
import { FileUpload } from '../../ui/upload/FileUpload';

const MAX_BYTES = 2 * 2 ** 30;

type LessonUploadProps = { label: string; accept: string; hint: string; onFile: (file: StoredFile) => void };

/** Sends a file for a lesson and keeps it. */
export function LessonUpload({ label, accept, hint, onFile }: LessonUploadProps) {
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

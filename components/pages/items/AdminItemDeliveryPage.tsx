import { ActionForm } from '../../admin/actions/ActionForm';
import { CourseFrame } from '../../admin/courses/CourseFrame';
import { storeLessonFile } from '../../api/admin/lessons';
import { saveItemFiles } from '../../api/admin/products';
import { useRefresh } from '../../api/session/privatePage';
import { useSite } from '../../api/site';
import type { ItemDeliveryProps } from '../../contracts/schema';
import { fileSize } from '../../format/fileSize';
import { formatOf } from '../../format/format';
import { CallError } from '../../forms/call/SignInAgain';
import { useCall } from '../../forms/call/useCall';
import { Button } from '../../ui/controls/Button';
import { FileUpload } from '../../ui/upload/FileUpload';

const MAX_BYTES = 2 * 2 ** 30;

export function AdminItemDeliveryPage({ frame, form, text, courses, files }: ItemDeliveryProps) {
  return (
    <CourseFrame frame={frame}>
      {courses && <ActionForm key={`courses ${frame.courseId}`} action={courses} />}
      {files && <ItemFiles itemId={frame.courseId} version={frame.version} files={files} />}
      {form ? <ActionForm key={frame.courseId} action={form} /> : <p>{text}</p>}
    </CourseFrame>
  );
}

type ItemFilesProps = { itemId: number; version: number; files: NonNullable<ItemDeliveryProps['files']> };

/** The files that buyers download: each change is saved at once. */
function ItemFiles({ itemId, version, files }: ItemFilesProps) {
  const call = useCall();
  const refresh = useRefresh();
  const format = formatOf(useSite());
  const digests = files.map(({ sha256 }) => sha256);
  const save = (wanted: string[]) => saveItemFiles(itemId, { version, files: wanted }).then(refresh);
  return (
    <section className="area-part area-box" aria-labelledby="item-files">
      <h2 className="heading-m" id="item-files">
        Files to download
      </h2>
      <p className="muted">
        Buyers find them on the page of their order, also those who have bought it before.
      </p>
      <CallError
        call={{ ...call, text: [call.text, ...Object.values(call.errors)].filter(Boolean).join(' ') }}
      />
      {files.length > 0 && (
        <ul className="picked">
          {files.map(({ sha256, name, mediaType, bytes }) => (
            <li key={sha256} className="picked__one">
              <span>
                <strong>{name}</strong>{' '}
                <span className="hint">{`${mediaType}, ${fileSize(bytes, format)}`}</span>
              </span>
              <Button
                variant="text-quiet"
                label={`Remove ${name}`}
                onClick={() => void call.run(() => save(digests.filter((digest) => digest !== sha256)))}
              >
                Remove
              </Button>
            </li>
          ))}
        </ul>
      )}
      <FileUpload
        purpose="lesson"
        label={files.length > 0 ? 'Add another file' : 'Add a file'}
        accept="application/pdf,application/epub+zip,.epub,audio/*,video/*,image/*"
        hint="PDF, EPUB, sound, video or pictures, up to 2 GiB."
        maxBytes={MAX_BYTES}
        onDone={(upload) =>
          void call.run(async () => {
            const { sha256 } = await storeLessonFile(upload.id);
            await save([...digests.filter((digest) => digest !== sha256), sha256]);
          })
        }
      />
    </section>
  );
}

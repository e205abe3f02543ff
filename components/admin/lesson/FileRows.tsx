import type { LessonFileFields } from '../../contracts/schema';
import { Button } from '../../ui/controls/Button';

type FileRowsProps = { files: LessonFileFields[]; onRemove: (file: LessonFileFields) => void };

/** The files of a lesson, each with its size. */
export function FileRows({ files, onRemove }: FileRowsProps) {
  if (files.length === 0) return null;
  return (
    <ul className="lesson-files">
      {files.map((file) => (
        <li key={file.sha256} className="row">
          <strong>{file.name || file.mediaType}</strong>
          <span className="hint">{`${file.mediaType}, ${sizeText(file.bytes)}`}</span>
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

function sizeText(bytes: number): string {
  const kib = bytes / 1024;
  return kib < 1024 ? `${Math.ceil(kib)} KiB` : `${(kib / 1024).toFixed(1)} MiB`;
}

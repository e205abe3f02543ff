import { useSite } from '../../api/site';
import type { LessonFileFields } from '../../contracts/schema';
import { fileSize } from '../../format/fileSize';
import { formatOf } from '../../format/format';
import { Button } from '../../ui/controls/Button';

type FileRowsProps = { files: LessonFileFields[]; onRemove: (file: LessonFileFields) => void };

/** The files of a lesson, each with its size. */
export function FileRows({ files, onRemove }: FileRowsProps) {
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

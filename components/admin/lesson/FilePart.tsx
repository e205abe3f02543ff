import { FieldError } from '../../forms/FieldShell';
import { FileRows } from './FileRows';
import { LessonUpload } from './LessonUpload';
import type { PartProps } from './partProps';

/** The file that a lesson offers. */
export function FilePart({ fields, errors, set }: PartProps) {
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

import { useState } from 'react';
import { useSite } from '../../api/site';
import type { ImportsProps, Upload } from '../../contracts/schema';
import { DataTable } from '../../ui/table/DataTable';
import { FileUpload } from '../../ui/upload/FileUpload';
import { ImportForm } from './ImportForm';

const MAX_BYTES = 256 * 2 ** 20;

/** A file is sent and checked here; what was imported before is listed below. */
export function ImportsView({ title, table, ...choices }: ImportsProps) {
  const [upload, setUpload] = useState<Upload | null>(null);
  return (
    <div className="area-page">
      <h1>{title}</h1>
      <section className="area-part" aria-labelledby="import-title">
        <h2 className="heading-m" id="import-title">
          Import courses or shop items
        </h2>
        <FileUpload
          purpose="import"
          label="CSV or JSON file"
          accept=".csv,.tsv,.txt,.json,.jsonl,.ndjson"
          maxBytes={MAX_BYTES}
          hint="Up to 256 MiB. Nothing is imported before you have seen what the check found."
          onDone={setUpload}
        />
        {upload && <ImportForm key={upload.id} upload={upload} {...choices} />}
      </section>
      <DataTable table={table} site={useSite()} />
    </div>
  );
}

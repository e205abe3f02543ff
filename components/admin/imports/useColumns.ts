import { useEffect, useState } from 'react';
import { readColumns } from '../../api/admin/imports';
import { ApiProblem } from '../../api/client';
import type { ImportColumn, ImportColumnsRequest } from '../../contracts/schema';
import { apiErrorText } from '../../forms/call/apiErrorText';

export type Choice = Pick<ImportColumnsRequest, 'kind'> & { mapping: Record<string, string> };

type Columns = { columns: ImportColumn[]; error: string };

/** The columns of the file as the chosen fields read them; asked for again whenever a choice changes. */
export function useColumns(uploadId: number, { kind, mapping }: Choice): Columns {
  const [found, setFound] = useState<Columns>({ columns: [], error: '' });
  const key = JSON.stringify(mapping);
  useEffect(() => {
    let isCurrent = true;
    readColumns({ uploadId, kind, mapping: JSON.parse(key) })
      .then(({ columns }) => isCurrent && setFound({ columns, error: '' }))
      .catch((problem: unknown) => {
        if (!(problem instanceof ApiProblem)) throw problem;
        const error = problem.errors.mapping ?? apiErrorText(problem);
        if (isCurrent) setFound(({ columns }) => ({ columns, error }));
      });
    return () => {
      isCurrent = false;
    };
  }, [uploadId, kind, key]);
  return found;
}

import { useEffect, useState } from 'react';
import { readColumns } from '../../api/admin/imports';
import { ApiProblem } from '../../api/client';
import type { ImportColumn } from '../../contracts/schema';
import { apiErrorText } from '../../forms/call/apiErrorText';
import type { Rules } from './importValues';

type Columns = { columns: ImportColumn[]; error: string };

/** The columns of the file as the rules read them; asked for again whenever a rule changes. */
export function useColumns(uploadId: number, rules: Rules): Columns {
  const [found, setFound] = useState<Columns>({ columns: [], error: '' });
  const key = JSON.stringify(rules);
  useEffect(() => {
    let isCurrent = true;
    readColumns({ uploadId, ...JSON.parse(key) })
      .then(({ columns }) => isCurrent && setFound({ columns, error: '' }))
      .catch((problem: unknown) => {
        if (!(problem instanceof ApiProblem)) throw problem;
        const error = problem.errors.mapping ?? apiErrorText(problem);
        if (isCurrent) setFound(({ columns }) => ({ columns, error }));
      });
    return () => {
      isCurrent = false;
    };
  }, [uploadId, key]);
  return found;
}

import { useState } from 'react';
import { useSite } from '../../api/site';
import { copyText } from '../../browser/navigation';
import type { Material } from '../../contracts/schema';
import { fileSize } from '../../format/fileSize';
import { formatOf } from '../../format/format';
import { Button } from '../../ui/controls/Button';
import { Icon } from '../../ui/Icon';
import { LearningPart } from '../LearningPart';

type MaterialsProps = { materials: Material[]; hasMore: boolean };

/** What was bought besides courses; absent without any. */
export function Materials({ materials, hasMore }: MaterialsProps) {
  if (materials.length === 0) return null;
  const link = hasMore ? { href: '/user-dashboard?list=materials', text: 'All materials' } : null;
  return (
    <LearningPart title="Materials" link={link} className="panel learning-part--card">
      <MaterialRows materials={materials} heading="h3" />
    </LearningPart>
  );
}

type MaterialRowsProps = { materials: Material[]; heading: 'h2' | 'h3' };

export function MaterialRows({ materials, heading: Heading }: MaterialRowsProps) {
  const format = formatOf(useSite());
  return (
    <ul className="materials">
      {materials.map(({ name, href, boughtAt, files, codes }) => (
        <li className="materials__row stack" key={`${href} ${name}`}>
          <Heading className="materials__name">{name}</Heading>
          {files.map((file) => (
            <a className="materials__file" key={file.href} href={file.href} download={file.name}>
              <Icon name="box" />
              <span>{`Download ${file.name}`}</span>
              <span className="hint">{fileSize(file.bytes, format)}</span>
            </a>
          ))}
          {codes.map((code) => (
            <Code key={code.code} {...code} />
          ))}
          <p className="hint">
            {`Bought on ${format.date(boughtAt)} · `}
            <a href={href}>
              Order<span className="sr-only">{`: ${name}`}</span>
            </a>
          </p>
        </li>
      ))}
    </ul>
  );
}

/** A code to show at a counter or to type elsewhere. */
function Code({ code, stateText, isUsed }: Material['codes'][number]) {
  const [answer, setAnswer] = useState('');

  async function copy() {
    setAnswer((await copyText(code)) ? 'Copied' : 'Copying was refused: select the code instead.');
  }

  return (
    <p className="materials__code row">
      <code>{code}</code>
      {isUsed ? (
        <span className="hint">{stateText}</span>
      ) : (
        <Button variant="text" label={`Copy ${code}`} onClick={() => void copy()}>
          Copy
        </Button>
      )}
      <span className="hint" role="status">
        {answer}
      </span>
    </p>
  );
}

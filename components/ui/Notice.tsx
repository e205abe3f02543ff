import type { ReactNode } from 'react';
import { Icon } from './Icon';

type NoticeProps = { kind?: 'info' | 'warning'; title: string; children: ReactNode };

export function Notice({ kind = 'info', title, children }: NoticeProps) {
  return (
    <div className={`notice notice--${kind}`}>
      <Icon name={kind} />
      <div className="notice__body">
        <p className="notice__title">{title}</p>
        {children}
      </div>
    </div>
  );
}

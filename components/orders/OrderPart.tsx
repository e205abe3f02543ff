import type { ReactNode } from 'react';

type OrderPartProps = { id: string; title: string; className?: string; children: ReactNode };

/** A part of an order's page with its own heading. */
export function OrderPart({ id, title, className = '', children }: OrderPartProps) {
  return (
    <section className={`order-part panel ${className}`} id={id} aria-labelledby={`${id}-title`}>
      <h2 className="heading-m" id={`${id}-title`}>
        {title}
      </h2>
      {children}
    </section>
  );
}

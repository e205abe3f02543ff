import { render, screen } from '@testing-library/react';
import { IntervalPicture } from './IntervalPicture';

const INTERVAL = {
  id: 'paid',
  title: 'Do more people buy?',
  verdict: 'Whether more people buy cannot be told from chance.',
  low: -2,
  mean: 1,
  high: 4,
  lowText: '-2.00',
  meanText: '+1.00',
  highText: '+4.00',
  meaning: 'Paid sessions of 100.',
};

function xOf(container: HTMLElement, part: string, name: string) {
  return Number(container.querySelector(`.interval__${part}`)?.getAttribute(name));
}

test('the picture says in words what it shows', () => {
  render(<IntervalPicture interval={INTERVAL} />);
  const figure = screen.getByRole('figure', { name: INTERVAL.title });
  expect(figure).toHaveTextContent(INTERVAL.verdict);
  expect(screen.getAllByRole('definition').map(({ textContent }) => textContent)).toEqual([
    '-2.00',
    '+1.00',
    '+4.00',
  ]);
});

test.each([
  ['around zero', { low: -2, mean: 1, high: 4 }, [30, 300, 540, 210]],
  ['above zero', { low: 2, mean: 3, high: 4 }, [300, 435, 270, 30]],
  ['below zero', { low: -4, mean: -3, high: -2 }, [30, 165, 270, 570]],
  ['of nothing', { low: 0, mean: 0, high: 0 }, [30, 30, 4, 30]],
])('a range %s is drawn to scale with zero', (_name, range, expected) => {
  const { container } = render(<IntervalPicture interval={{ ...INTERVAL, ...range }} />);
  const drawn = [
    xOf(container, 'bar', 'x'),
    xOf(container, 'mean', 'cx'),
    xOf(container, 'bar', 'width'),
    xOf(container, 'zero', 'x1'),
  ];
  expect(drawn.map(Math.round)).toEqual(expected);
});

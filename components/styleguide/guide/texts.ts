/** Texts that break weak layouts: 200 letters without a place to break, long sentences, other scripts. */
export const UNBROKEN = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerk'.repeat(4).slice(0, 200);

export const WORDY =
  'Consolidated Financial Statements, Business Combinations and the Treatment of Non-Controlling Interests in Groups with Foreign Operations: A Practitioner’s Workshop in Twelve Cases';

export const SENTENCE =
  'Work through the questions an auditor really asks, one ledger at a time, until every figure on the page can be explained to someone who was not there when it was booked.';

export const JAPANESE = '経理担当者のための日本語ビジネスメール：初回連絡から支払い確認まで';

export const ACCENTED = 'Übergangsvorschriften für Żółć, Ğarip & Ñandú, s. r. o.';

import type { Language } from '../words.js';

/** Numbers as the person's language writes them. */
export const numbers = (language: Language) => {
  const locale = language === 'de' ? 'de-DE' : 'en-US';
  const whole = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
  const short = new Intl.NumberFormat(locale, { maximumSignificantDigits: 3 });
  const part = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
  const even = new Intl.NumberFormat(locale, { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 });
  const fine = new Intl.NumberFormat(locale, { style: 'percent', maximumSignificantDigits: 2 });
  const unit = (value: number, name: string) =>
    new Intl.NumberFormat(locale, {
      style: 'unit',
      unit: name,
      unitDisplay: 'short',
      maximumFractionDigits: value < 10 ? 1 : 0,
    }).format(value);
  /** As many decimals as the largest of them has among its three digits: for figures below one another. */
  const alike = (values: readonly number[]): ((value: number) => string) => {
    const largest = Math.max(0, ...values.map(Math.abs));
    const decimals = largest === 0 ? 0 : Math.min(20, Math.max(0, 2 - Math.floor(Math.log10(largest))));
    const even = new Intl.NumberFormat(locale, { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
    // What would be rounded to nothing keeps digits of its own.
    return (value) => (value === 0 ? '0' : (Math.abs(value) < 0.5 * 10 ** -decimals ? short : even).format(value));
  };
  const exact = new Intl.NumberFormat(locale, { maximumSignificantDigits: 15 });
  return {
    alike,
    /** A number that somebody declared, whole; in groups of three digits only where it cannot be a year. */
    declared: (value: number) => (Math.abs(value) < 10_000 ? String(value) : exact.format(value)),
    count: (value: number) => whole.format(value),
    percent: (value: number) => (value !== 0 && Math.abs(value) < 0.001 ? fine : part).format(value),
    /** The same with a decimal everywhere, for figures below one another. */
    share: (value: number) => even.format(value),
    size: (bytes: number) =>
      bytes < 1e3
        ? unit(bytes, 'byte')
        : bytes < 1e6
          ? unit(bytes / 1e3, 'kilobyte')
          : bytes < 1e9
            ? unit(bytes / 1e6, 'megabyte')
            : unit(bytes / 1e9, 'gigabyte'),
    duration: (seconds: number) =>
      seconds < 90
        ? unit(Math.max(1, Math.round(seconds)), 'second')
        : seconds < 5400
          ? unit(Math.round(seconds / 60), 'minute')
          : unit(seconds / 3600, 'hour'),
    day: (milliseconds: number) =>
      new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(milliseconds),
  };
};

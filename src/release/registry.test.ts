import { describe, expect, it } from 'vitest';
import { anyMechanismNamed, householdMechanisms, mechanismNamed, mechanisms } from './registry.js';
import { settingsOf } from './settings.js';

describe('the mechanisms', () => {
  it('have names that differ, one-line summaries, and defaults that pass their own check', () => {
    const all = [...mechanisms, ...householdMechanisms];
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
    for (const mechanism of all) {
      expect(mechanism.summary).toMatch(/^[^\n]{10,110}[^.\n]$/);
      expect(settingsOf(mechanism, mechanism.defaults)).toEqual(mechanism.defaults);
      for (const [key, words] of Object.entries(mechanism.choices ?? {}))
        expect(words).toContain(mechanism.defaults[key]);
    }
  });

  it('are found by name, and a misspelt name is told the nearest one', () => {
    for (const mechanism of mechanisms) expect(mechanismNamed(mechanism.name)).toBe(mechanism);
    for (const mechanism of householdMechanisms) {
      expect(anyMechanismNamed(mechanism.name)).toBe(mechanism);
      expect(() => mechanismNamed(mechanism.name)).toThrow(/must be one for a table of rows, got .* for households/);
    }
    expect(anyMechanismNamed('aim')).toBe(mechanismNamed('aim'));
    expect(() => anyMechanismNamed('h-mwen')).toThrow(/, h-mwem.*, got "h-mwen"; did you mean h-mwem\?/);
    expect(() => mechanismNamed('rewieght')).toThrow(/must be one of .*, got "rewieght"; did you mean reweight\?/);
  });

  it('take settings in place of defaults, and refuse unknown names, other types and numbers out of range', () => {
    const mechanism = mechanismNamed('reweight');
    expect(settingsOf(mechanism, { maxCells: 5 })).toEqual({ ...mechanism.defaults, maxCells: 5 });
    expect(() => settingsOf(mechanism, { cells: 5 })).toThrow(
      /can be set degree, maxCells, iterations, lambda, draws, probes, got "cells"/,
    );
    expect(() => settingsOf(mechanism, { maxCells: '5' })).toThrow(/maxCells must be a number/);
    for (const value of [0, -1, 1.5, Number.NaN, Infinity])
      expect(() => settingsOf(mechanism, { maxCells: value })).toThrow(/maxCells must be a whole number from 1 on/);
    const chooser = { name: 'm', defaults: { how: 'a' }, choices: { how: ['a', 'b'] } };
    expect(settingsOf(chooser, { how: 'b' })).toEqual({ how: 'b' });
    expect(() => settingsOf(chooser, { how: 'c' })).toThrow('m: how must be one of a, b, got "c"');
  });
});

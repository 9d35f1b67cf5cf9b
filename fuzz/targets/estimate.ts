import { estimateName, makeEstimateFiles, openEstimate } from '../../src/bundle/estimate-files.js';
import { answerSql } from '../../src/evaluate/sql/answer-sql.js';
import { unpack } from '../archive.js';
import { mutateBytes } from '../mutate/bytes.js';
import { mutateContainer } from '../mutate/container.js';
import { mutateJson } from '../mutate/json.js';
import { mixed } from '../mutate/mutator.js';
import { resealedFiles } from '../repair.js';
import { same } from '../same.js';
import { estimateSeeds } from '../seeds.js';
import type { Target } from '../target.js';
import { jsonWords } from '../words.js';
import { inPart } from './bundle.js';

/** What `surmise estimate` leaves behind. */
export const estimateTarget: Target = {
  name: 'estimate',
  run: (bytes) => {
    const estimate = openEstimate(unpack(bytes));
    const again = openEstimate(makeEstimateFiles(estimate));
    same(again.facts, estimate.facts, 'an estimate reads back as it was written');
    same(again.measurements, estimate.measurements, 'measurements read back as they were written');
    return JSON.stringify(answerSql('SELECT COUNT(*) FROM data', estimate));
  },
  mutate: mixed(
    [3, inPart([estimateName], mixed([8, mutateJson(jsonWords)], [1, mutateBytes]))],
    [1, inPart(['model.bin', 'measurements.bin'], mutateContainer)],
  ),
  repair: (bytes) => resealedFiles(bytes, estimateName),
  seeds: estimateSeeds,
};

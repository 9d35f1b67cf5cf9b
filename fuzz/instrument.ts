import ts from 'typescript';

/** What instrumented code counts into: one byte for each block, on the global object so that modules need no import. */
export const countersName = '__surmiseBlocks';
/** Blocks that can be told apart. */
export const mostBlocks = 2 ** 16;

/**
 * A JavaScript module that counts how often each of its blocks runs: bodies of functions and loops, branches of `if`, `?:` and `case`, and what
 * stands behind `&&`, `||` and `??`. `next` gives the number of a new block.
 */
export const instrument = (text: string, file: string, next: () => number): string => {
  const { factory: f } = ts;
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true, ts.ScriptKind.JS);
  const count = (): ts.Expression =>
    f.createPostfixIncrement(f.createElementAccessExpression(f.createIdentifier('$blocks'), next()));
  const block = (statement: ts.Statement): ts.Block => {
    const inner = ts.isBlock(statement) ? statement.statements : [statement];
    return f.createBlock([f.createExpressionStatement(count()), ...inner], true);
  };
  const counted = (expression: ts.Expression): ts.Expression =>
    f.createParenthesizedExpression(f.createComma(count(), f.createParenthesizedExpression(expression)));
  const transformer: ts.TransformerFactory<ts.SourceFile> = (context) => (root) => {
    const visit = (node: ts.Node): ts.Node => {
      const seen = ts.visitEachChild(node, visit, context);
      if (ts.isFunctionDeclaration(seen) && seen.body)
        return f.updateFunctionDeclaration(
          seen,
          seen.modifiers,
          seen.asteriskToken,
          seen.name,
          seen.typeParameters,
          seen.parameters,
          seen.type,
          block(seen.body),
        );
      if (ts.isFunctionExpression(seen))
        return f.updateFunctionExpression(
          seen,
          seen.modifiers,
          seen.asteriskToken,
          seen.name,
          seen.typeParameters,
          seen.parameters,
          seen.type,
          block(seen.body),
        );
      if (ts.isMethodDeclaration(seen) && seen.body)
        return f.updateMethodDeclaration(
          seen,
          seen.modifiers,
          seen.asteriskToken,
          seen.name,
          seen.questionToken,
          seen.typeParameters,
          seen.parameters,
          seen.type,
          block(seen.body),
        );
      if (ts.isArrowFunction(seen))
        return f.updateArrowFunction(
          seen,
          seen.modifiers,
          seen.typeParameters,
          seen.parameters,
          seen.type,
          seen.equalsGreaterThanToken,
          ts.isBlock(seen.body) ? block(seen.body) : counted(seen.body),
        );
      if (ts.isIfStatement(seen))
        return f.updateIfStatement(
          seen,
          seen.expression,
          block(seen.thenStatement),
          seen.elseStatement ? block(seen.elseStatement) : block(f.createBlock([])),
        );
      if (ts.isForStatement(seen))
        return f.updateForStatement(seen, seen.initializer, seen.condition, seen.incrementor, block(seen.statement));
      if (ts.isForOfStatement(seen))
        return f.updateForOfStatement(
          seen,
          seen.awaitModifier,
          seen.initializer,
          seen.expression,
          block(seen.statement),
        );
      if (ts.isWhileStatement(seen)) return f.updateWhileStatement(seen, seen.expression, block(seen.statement));
      if (ts.isCaseClause(seen))
        return f.updateCaseClause(seen, seen.expression, [f.createExpressionStatement(count()), ...seen.statements]);
      if (ts.isDefaultClause(seen))
        return f.updateDefaultClause(seen, [f.createExpressionStatement(count()), ...seen.statements]);
      if (ts.isCatchClause(seen)) return f.updateCatchClause(seen, seen.variableDeclaration, block(seen.block));
      if (ts.isConditionalExpression(seen))
        return f.updateConditionalExpression(
          seen,
          seen.condition,
          seen.questionToken,
          counted(seen.whenTrue),
          seen.colonToken,
          counted(seen.whenFalse),
        );
      if (
        ts.isBinaryExpression(seen) &&
        [
          ts.SyntaxKind.AmpersandAmpersandToken,
          ts.SyntaxKind.BarBarToken,
          ts.SyntaxKind.QuestionQuestionToken,
        ].includes(seen.operatorToken.kind)
      )
        return f.updateBinaryExpression(seen, seen.left, seen.operatorToken, counted(seen.right));
      return seen;
    };
    return ts.visitEachChild(root, visit, context);
  };
  const { transformed } = ts.transform(source, [transformer]);
  return `const $blocks = globalThis.${countersName};\n${ts.createPrinter().printFile(transformed[0])}`;
};

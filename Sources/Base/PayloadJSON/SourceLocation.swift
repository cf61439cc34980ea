/// A line and column as an editor shows them, both counted from 1.
package struct SourceLocation: Hashable, Sendable {
    package var line: Int
    /// In Unicode scalars. A tab counts as one, and so does a byte that is not UTF-8.
    package var column: Int

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }
}

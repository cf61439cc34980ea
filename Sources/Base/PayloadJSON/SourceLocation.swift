/// A place in a text as an editor shows it; both counted from 1.
package struct SourceLocation: Hashable, Sendable {
    package var line: Int
    /// In characters, which here are Unicode scalars; a byte that is not UTF-8 counts as one, and so does a tab.
    package var column: Int

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }
}

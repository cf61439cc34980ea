import PayloadLint
import Testing

struct UnifiedDiffTests {
    private func diff(_ old: String, _ new: String) -> String {
        String(decoding: UnifiedDiff.between(Array(old.utf8), Array(new.utf8), name: "a/b.json"), as: UTF8.self)
    }

    private func lines(_ numbers: some Sequence<Int>) -> String { numbers.map { "\($0)\n" }.joined() }

    @Test func `equal texts have no diff`() {
        #expect(diff("a\nb\n", "a\nb\n").isEmpty)
        #expect(diff("", "").isEmpty)
    }

    @Test func `a change has three lines of context`() {
        #expect(
            diff(lines(1...10), lines(1...10).replacing("\n5\n", with: "\nfive\n")) == """
                --- a/a/b.json
                +++ b/a/b.json
                @@ -2,7 +2,7 @@
                 2
                 3
                 4
                -5
                +five
                 6
                 7
                 8

                """)
    }

    @Test func `distant changes have separate hunks, near ones share one`() {
        let near = diff(
            lines(1...20), lines(1...20).replacing("\n5\n", with: "\nx\n").replacing("\n12\n", with: "\ny\n"))
        #expect(near.components("@@ -") == ["2,14 +2,14 @@"])
        let far = diff(
            lines(1...20), lines(1...20).replacing("\n5\n", with: "\nx\n").replacing("\n13\n", with: "\ny\n"))
        #expect(far.components("@@ -") == ["2,7 +2,7 @@", "10,7 +10,7 @@"])
        #expect(far.components("--- ").count == 1)
    }

    @Test func `removed or added lines change the line numbers`() {
        #expect(diff("a\nb\nc\n", "a\nc\n").hasSuffix("@@ -1,3 +1,2 @@\n a\n-b\n c\n"))
        #expect(diff("", "a\n").hasSuffix("@@ -0,0 +1,1 @@\n+a\n"))
        #expect(diff("a\n", "").hasSuffix("@@ -1,1 +0,0 @@\n-a\n"))
    }

    @Test func `an absolute path is written without its leading slash`() {
        let diff = UnifiedDiff.between(Array("a\n".utf8), Array("b\n".utf8), name: "/tmp/x.json")
        #expect(String(decoding: diff, as: UTF8.self).hasPrefix("--- a/tmp/x.json\n+++ b/tmp/x.json\n"))
    }

    @Test func `a last line without an end is marked`() {
        #expect(
            diff("a\nb", "a\nc").hasSuffix(
                " a\n-b\n\\ No newline at end of file\n+c\n\\ No newline at end of file\n"))
    }
}

extension String {
    /// The rest of each line that begins with `mark`.
    fileprivate func components(_ mark: String) -> [String] {
        split(separator: "\n").filter { $0.hasPrefix(mark) }.map { String($0.dropFirst(mark.count)) }
    }
}

import APNSPayload
import PayloadLint
import Testing

struct LintSummaryTests {
    @Test func `it counts findings by severity and those that can be fixed`() {
        var summary = LintSummary()
        summary.notifications = 4
        summary.files = 3
        summary.filesWithFindings = 1
        summary.add(Checked(#"{"aps":{"content-available":true}}"#).findings, failOn: .error)
        #expect(summary.failing == 0)
        summary.add(Checked(#"{"aps":1}"#).findings, failOn: .error)
        #expect(summary.failing == 1)
        #expect(
            summary.text
                == "4 notifications in 3 files checked: 1 error, 1 warning in 1 file; 1 can be fixed with --fix")
        summary.known = 2
        summary.suppressed = 1
        #expect(summary.text.hasSuffix("--fix; 2 in the baseline; 1 suppressed"))
    }

    @Test func `no findings are reported as such`() {
        var summary = LintSummary()
        summary.notifications = 1
        summary.files = 1
        #expect(summary.text == "1 notification in 1 file checked: no findings")
    }

    @Test func `failures are counted, and what was not checked has no success`() {
        var summary = LintSummary()
        summary.failures = 2
        #expect(summary.text == "nothing was checked: 2 failures")
        // A file that was read, and whose lines are all too long.
        summary.files = 1
        #expect(summary.text == "nothing was checked: 2 failures")
        summary.notifications = 3
        #expect(summary.text == "3 notifications in 1 file checked: no findings; 2 failures")
    }

    @Test func `findings are counted where no notification could be checked, as those of a sidecar`() {
        var summary = LintSummary()
        summary.files = 1
        summary.filesWithFindings = 1
        summary.failures = 1
        summary.add(Checked(#"{"aps":1}"#).findings, failOn: .error)
        #expect(summary.text == "0 notifications in 1 file checked: 1 error in 1 file; 1 failure")
    }
}

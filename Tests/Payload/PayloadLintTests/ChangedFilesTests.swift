import PayloadLint
import Testing

struct ChangedFilesTests {
    private func changed(_ names: [String], top: String = "/r") -> ChangedFiles {
        ChangedFiles(top: top, listings: [Array(names.map { $0 + "\0" }.joined().utf8)])
    }

    @Test func `a file counts by itself, with its own name only`() {
        let changed = changed(["payloads/a.json", "payloads/ä \"b\"\n.json"])
        #expect(changed.concern("/r/payloads/a.json", configurations: []))
        #expect(changed.concern("/r/payloads/ä \"b\"\n.json", configurations: []))
        for other in ["/r/payloads/b.json", "/r/payloads/a.json5", "/r/a.json", "/payloads/a.json"] {
            #expect(!changed.concern(other, configurations: []), "\(other)")
        }
    }

    @Test func `a file counts where its ignored rules have changed`() {
        let changed = changed(["p/a.json.apns-validate.yaml"])
        #expect(changed.concern("/r/p/a.json", configurations: []))
        #expect(!changed.concern("/r/p/b.json", configurations: []))
    }

    @Test func `a file counts where its configuration has changed, or one that is gone`() {
        #expect(changed(["shared/base.yaml"]).concern("/r/p/a.json", configurations: ["/r/shared/base.yaml"]))
        #expect(!changed(["shared/base.yaml"]).concern("/r/p/a.json", configurations: ["/r/.apns-validate.yaml"]))
        let gone = changed(["p/.apns-validate.yaml"])
        #expect(gone.concern("/r/p/deep/a.json", configurations: []))
        #expect(!gone.concern("/r/q/a.json", configurations: []))
        #expect(changed([".apns-validate.yaml"]).concern("/r/p/a.json", configurations: []))
    }

    @Test func `all files of a submodule count with it, and a repository that git does not know`() {
        #expect(changed(["vendor/pushes"]).concern("/r/vendor/pushes/x/a.json", configurations: []))
        #expect(changed(["nested/"]).concern("/r/nested/a.json", configurations: []))
        #expect(!changed(["vendor/push"]).concern("/r/vendor/pushes/a.json", configurations: []))
    }

    @Test func `it knows what is in the work tree, and what was lost below a folder`() {
        let changed = changed(["payloads/a.json"])
        #expect(changed.cover("/r") && changed.cover("/r/payloads") && !changed.cover("/rest") && !changed.cover("/"))
        #expect(changed.haveAny(atOrBelow: "/r/payloads") && changed.haveAny(atOrBelow: "/r/payloads/a.json"))
        #expect(!changed.haveAny(atOrBelow: "/r/pay"))
        let root = self.changed(["a.json"], top: "/")
        #expect(root.cover("/a.json") && root.concern("/a.json", configurations: []))
        #expect(!root.concern("/b/c.json", configurations: []))
    }
}

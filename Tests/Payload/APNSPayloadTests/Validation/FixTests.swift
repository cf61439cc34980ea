import APNSPayload
import Testing

struct FixTests {
    @Test(
        arguments: [
            ([], "0123456789"), ([(2, 4, "x")], "01x456789"), ([(0, 0, "<"), (10, 10, ">")], "<0123456789>"),
            ([(0, 3, ""), (3, 4, "three"), (9, 10, "")], "three45678"),
        ] as [([(Int, Int, String)], String)])
    func `edits are applied in order`(edits: [(Int, Int, String)], result: String) {
        let fix = Fix("fix it", edits.map { Fix.Edit($0.0..<$0.1, $0.2) })
        #expect(String(decoding: fix.applied(to: Array("0123456789".utf8)), as: UTF8.self) == result)
    }
}

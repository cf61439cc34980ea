import Foundation
import PushDispatch
import TestSeeds
import Testing

struct HostilePushTests {
    private static let ids = (0..<10_000).map { "\"\(RecordID.test($0))\"" }.joined(separator: ",")

    private static let payloads = [
        String(repeating: #"{"a":"#, count: 5_000) + "1" + String(repeating: "}", count: 5_000),
        #"{"type":"ACCOUNT_UPDATE","accountId":"001xx000003DGb2","x":"# + String(repeating: "[", count: 200)
            + String(repeating: "]", count: 200) + "}",
        #"{"type":"INTERACTION","recordIds":[\#(ids)]}"#,
        #"{"type":"ACCOUNT_UPDATE","accountId":"\#(String(repeating: "0", count: 1_000_000))"}"#,
        #"{"type":"ACCOUNT_UPDATE","accountId":"001xx'; DROP--"}"#,
        #"{"type":"ACCOUNT_UPDATE","accountId":"001xx00000\u0000\u0001\u001b2"}"#,
        #"{"type":"ACCOUNT_UPDATE","accountId":{"id":"001xx000003DGb2"}}"#,
        #"{"type":"INTERACTION","recordIds":{"0":"001xx000003DGb2"}}"#,
        #"{"type":"INTERACTION","recordIds":[[["001xx000003DGb2"]],true,1e308,{}]}"#,
        #"{"type":["ACCOUNT_UPDATE"],"accountId":"001xx000003DGb2"}"#,
        #"{"type":"ACCOUNT_UPDATE\u0000","accountId":"001xx000003DGb2"}"#,
        #"{"aps":[],"type":null}"#, #"{"aps":"content-available"}"#, "[[[]]]", "\u{0}", "{\"type\":\"TEST\"",
    ]

    private func result(_ push: Push) async -> PushResult {
        let handler = ScriptedHandler { _, _, _ in HandlerReport(changed: 1) }
        let dispatcher = PushDispatcher(handler: handler, pending: MemoryPendingStore(), clock: ManualClock())
        return await dispatcher.handle(push, from: .background)
    }

    @Test(arguments: payloads.indices) func `a hostile payload is no data, and reported`(index: Int) async {
        let push = Push(json: Data(Self.payloads[index].utf8))
        #expect(await result(push) == .noData)
        #expect(!HintTypes.standard.read(push).issues.isEmpty)
    }

    @Test func `a hostile dictionary is no data, and reported`() async {
        var deep: Any = "x"
        for _ in 0..<2_000 { deep = ["a": deep] as [AnyHashable: Any] }
        var wide: [Any] = ["x"]
        // Sharing makes 4^20 values out of 20 small arrays.
        for _ in 0..<20 { wide = [wide, wide, wide, wide] }
        let account: [AnyHashable: Any] = ["type": "ACCOUNT_UPDATE", "accountId": "001xx000003DGb2"]
        let hostile: [[AnyHashable: Any]] = [
            account.merging(["x": deep]) { $1 }, account.merging(["x": wide]) { $1 },
            ["type": "INTERACTION", "recordIds": (0..<10_000).map { RecordID.test($0).description }],
            account.merging(["x": String(repeating: "x", count: 1_000_000)]) { $1 },
            account.merging(["accountId": Data([1, 2, 3])]) { $1 }, account.merging(["type": NSNull()]) { $1 },
        ]
        for userInfo in hostile {
            let push = Push(userInfo: userInfo)
            #expect(await result(push) == .noData)
            #expect(!HintTypes.standard.read(push).issues.isEmpty)
        }
    }

    @Test func `the last value of a repeated key counts, for every entry point`() async {
        let text = #"{"type":"TEST","a":1,"type":"ACCOUNT_UPDATE","accountId":"x","accountId":"001xx000003DGb2"}"#
        let push = Push(json: Data(text.utf8))
        #expect(push.payload.count == 3 && push.issues.isEmpty)
        #expect(await result(push) == .newData)
        #expect(Push(json: push.json).payload == push.payload)
    }

    @Test func `numbers and objects that no JSON can hold cost only themselves`() async {
        let odd: [Any] = [
            Double.nan, Double.infinity, -Double.infinity, Float.nan, Date(timeIntervalSince1970: -1), Data([1]),
            URL(fileURLWithPath: "/"), UUID(), [1: "x"] as [AnyHashable: Any], Optional<String>.none as Any,
        ]
        for value in odd {
            let push = Push(userInfo: [
                "type": "ACCOUNT_UPDATE", "accountId": "001xx000003DGb2", "x": value, "y": [value, ["z": value]],
            ])
            #expect(push.issues.count >= 3, "\(value)")
            #expect(push.issues.allSatisfy { $0.code == .unsupportedValue }, "\(value)")
            // Written as JSON and read again, the payload is the same.
            #expect(JSONValue.object(push.payload) == JSONValue.object(Push(json: push.json).payload), "\(value)")
            #expect(await result(push) == .newData)
        }
    }

    @Test func `a dictionary with many keys that are no strings is refused, not walked through`() {
        let push = Push(userInfo: Dictionary(uniqueKeysWithValues: (0..<10_000).map { ($0 as AnyHashable, "x") }))
        #expect(push.payload.isEmpty)
        #expect(push.issues.last?.code == .tooLarge && push.issues.count <= 4_097)
    }

    @Test(arguments: TestSeed.all(1...30))
    func `a randomly changed payload is read or ignored, and never crashes`(seed: TestSeed) async {
        let samples = [
            #"{"aps":{"content-available":1},"type":"ACCOUNT_UPDATE","accountId":"001xx000003DGb2AAG","changedFields":"Name, Owner"}"#,
            #"{"aps":{"content-available":1},"type":"INTERACTION","recordIds":["0xIxx0000000001EAA","0xIxx0000000002EAA"]}"#,
            #"{"aps":{"alert":"Test Push Notification","sound":"default","badge":1},"type":"TEST","message":"Hello"}"#,
        ]
        var random = seed.generator
        for _ in 0..<100 {
            var bytes = Array(samples.randomElement(using: &random)!.utf8)
            for _ in 0..<Int.random(in: 1...6, using: &random) { mutate(&bytes, &random) }
            let push = Push(bytes: bytes)
            let reading = HintTypes.standard.read(push)
            switch reading.outcome {
            case .nothing: #expect(await result(push) == .noData)
            case .hint(let hint):
                #expect(hint.records.allSatisfy { RecordID($0.description) == $0 })
                #expect(await result(push) == .newData)
            }
            for issue in reading.issues { #expect(issue.description.utf8.count < 400) }
        }
    }

    private func mutate(_ bytes: inout [UInt8], _ random: inout TestGenerator) {
        guard !bytes.isEmpty else { return }
        let place = Int.random(in: bytes.indices, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: bytes[place] = .random(in: .min ... .max, using: &random)
        case 1: bytes.remove(at: place)
        case 2: bytes.insert(Array(#"{}[]",:\0e-"#.utf8).randomElement(using: &random)!, at: place)
        case 3: bytes.removeSubrange(place..<min(bytes.count, place + 9))
        default: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 12)], at: place)
        }
    }
}

import APNSModel
import APNSPayload
import TestSeeds

/// Random payloads of every type with valid values.
struct RandomPushes {
    private var generator: TestGenerator
    /// The number of kinds of payload.
    static let kinds = 14

    init(seed: TestSeed) { generator = seed.generator }

    mutating func next(_ kind: Int) -> any PushPayload {
        switch kind {
        case 0: alert()
        case 1: BackgroundPush(custom: custom())
        case 2: start()
        case 3:
            LiveActivityUpdate(
                at: date(), contentState: members(), alert: maybe { $0.activityAlert() },
                relevanceScore: maybe { $0.number() })
        case 4: end()
        case 5: VoIPPush(custom())
        case 6: ComplicationPush(custom())
        case 7: LocationPush(custom: custom())
        case 8: PushToTalkPush(custom())
        case 9:
            FileProviderPush(
                [.root, .workingSet, .item(text())][below(3)], domain: maybe { $0.text() })
        case 10: MDMPush(pushMagic: text())
        case 11: WidgetsPush()
        case 12: ControlsPush()
        default:
            WebsitePush(
                title: text(), body: text(), action: maybe { $0.text() }, urlArguments: texts())
        }
    }

    private mutating func alert() -> AlertPush {
        let sound: AlertSound? = maybe {
            [.standard, .file("a.caf"), .critical(), .critical("b.caf", volume: $0.fraction())][$0.below(4)]
        }
        var push =
            switch below(6) {
            case 0: AlertPush(badge: UInt32(below(100)), sound: sound, custom: custom())
            case 1: AlertPush(sound: sound ?? .standard, custom: custom())
            default: AlertPush(alertContent(), badge: maybe { UInt32($0.below(3)) }, sound: sound, custom: custom())
            }
        push.threadID = maybe { $0.text() }
        push.category = maybe { $0.text() }
        push.contentAvailable = below(2) == 0
        push.targetContentID = maybe { $0.text() }
        push.interruptionLevel = maybe { AlertPush.InterruptionLevel.allCases[$0.below(4)] }
        // A passive notification plays no sound, so with a sound alone it would do nothing.
        if push.alert == nil, push.badge == nil, push.interruptionLevel == .passive { push.interruptionLevel = .active }
        push.relevanceScore = maybe { $0.fraction() }
        push.filterCriteria = maybe { $0.text() }
        return push
    }

    private mutating func alertContent() -> Alert {
        let image = maybe { $0.text() }
        if below(3) == 0 { return Alert(alertText(), launchImage: image, mutableContent: below(2) == 0) }
        return Alert(
            title: alertText(), subtitle: maybe { $0.alertText() }, body: maybe { $0.alertText() }, launchImage: image,
            mutableContent: below(2) == 0)
    }

    private mutating func start() -> LiveActivityStart {
        let channel = ChannelID("mUIqAGdpEfCQjwAAajWZ/w==")
        var push = LiveActivityStart(
            at: date(), attributesType: "MatchAttributes", attributes: members(), contentState: members(),
            alert: activityAlert(), relevanceScore: maybe { $0.number() })
        push.staleDate = maybe { [timestamp = push.timestamp] in timestamp.adding(seconds: Int64($0.below(10_000) + 1))
        }
        push.updates = [.byApp, .byDeviceToken, channel.map { .byChannel($0) } ?? .byApp][below(3)]
        return push
    }

    private mutating func end() -> LiveActivityEnd {
        let timestamp = date()
        let later = timestamp.adding(seconds: Int64(below(4 * 3600)))
        return LiveActivityEnd(
            at: timestamp, contentState: members(), dismissal: [.bySystem, .atOnce, .at(later)][below(3)],
            alert: maybe { $0.activityAlert() })
    }

    private mutating func activityAlert() -> LiveActivityAlert {
        LiveActivityAlert(title: alertText(), body: alertText(), sound: maybe { _ in "default" })
    }

    private mutating func alertText() -> AlertText {
        below(3) == 0 ? .localized("KEY_\(below(10))", texts()) : .plain(text())
    }

    private mutating func custom() -> CustomData {
        (try? CustomData(members())) ?? CustomData()
    }

    private mutating func members() -> [String: PayloadValue] {
        var members: [String: PayloadValue] = [:]
        for _ in 0..<below(5) { members["own-\(text())"] = value(depth: 0) }
        return members
    }

    private mutating func value(depth: Int) -> PayloadValue {
        switch below(depth > 3 ? 4 : 6) {
        case 0: .string(text())
        case 1: .integer(Int64.random(in: .min ... .max, using: &generator))
        case 2: .number(number())
        case 3: .boolean(below(2) == 0)
        case 4: .array((0..<below(4)).map { _ in value(depth: depth + 1) })
        default: .object(["a": value(depth: depth + 1), "\"\\": value(depth: depth + 1)])
        }
    }

    /// Any finite double.
    private mutating func number() -> FiniteNumber {
        FiniteNumber(Double(bitPattern: generator.next())) ?? 0.5
    }

    private mutating func fraction() -> UnitFraction {
        UnitFraction(clamping: [0, 1, 0.5, Double.random(in: 0...1, using: &generator)][below(4)])
    }

    /// From 2024 to 2033.
    private mutating func date() -> PushDate {
        (1_704_067_200 as PushDate).adding(seconds: Int64(below(300_000_000)))
    }

    private mutating func texts() -> [String] { (0..<below(3)).map { _ in text() } }

    private mutating func text() -> String {
        let words = [
            "Größe", "你好", "👩‍👩‍👧", "\"quoted\"", "back\\slash", "\u{1}", "line\nbreak", "שלום", "a/b", "e\u{301}",
        ]
        return "\(words[below(words.count)]) \(below(1000))"
    }

    private mutating func maybe<Value>(_ make: (inout RandomPushes) -> Value) -> Value? {
        below(2) == 0 ? make(&self) : nil
    }

    private mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }
}

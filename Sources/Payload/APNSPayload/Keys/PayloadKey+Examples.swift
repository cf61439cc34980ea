extension PayloadKey {
    /// Values that the key can have, for documentation and for the completion of editors: the most usual first.
    package var examples: [PayloadValue] { root ?? aps ?? alert ?? inner ?? [] }

    private var root: [PayloadValue]? {
        switch key {
        case .aps: [["alert": ["title": "Order 4711", "body": "Ready for pick-up"]]]
        case .mdm: ["EB3F1B7C-8A0D-4C4E-9D0B-0F6C2B8C4A11"]
        case .containerIdentifier:
            ["NSFileProviderWorkingSetContainerItemIdentifier", "NSFileProviderRootContainerItemIdentifier"]
        case .domain: ["work"]
        case .simulatorTargetBundle: ["com.example.app"]
        case .type: ["ACCOUNT_UPDATE", "INTERACTION"]
        case .accountId: ["001xx000003DGb2AAG"]
        case .recordIds: [["001xx000003DGb2AAG"]]
        case .accountName: ["Acme"]
        default: nil
        }
    }

    private var aps: [PayloadValue]? {
        switch key {
        case .alert: [["title": "Order 4711", "body": "Ready for pick-up"]]
        case .badge: [1, 0]
        case .sound: ["default", "chime.caf"]
        case .threadID: ["order-4711"]
        case .category: ["ORDER"]
        case .contentAvailable, .mutableContent: [1]
        case .targetContentID: ["orders"]
        case .interruptionLevel: ["time-sensitive", "passive"]
        case .relevanceScore: [0.5]
        case .filterCriteria: ["work"]
        case .staleDate: [1_798_765_200]
        case .contentState: [["gate": "B12", "minutes": 25]]
        case .timestamp: [1_798_761_600]
        case .event: ["update", "start", "end"]
        case .dismissalDate: [1_798_768_800]
        case .attributesType: ["FlightAttributes"]
        case .attributes: [["flight": "LH400"]]
        case .inputPushToken: [1]
        case .inputPushChannel: ["dHN0LXNyY2gtY2hubA=="]
        case .contentChanged: [true]
        case .urlArgs: [["orders", "4711"]]
        default: nil
        }
    }

    private var alert: [PayloadValue]? {
        switch key {
        case .alertTitle: ["Order 4711"]
        case .alertSubtitle: ["Store on Main Street"]
        case .alertBody: ["Ready for pick-up"]
        case .alertLaunchImage: ["Launch"]
        case .alertTitleLocKey: ["ORDER_TITLE"]
        case .alertTitleLocArgs: [["4711"]]
        case .alertSubtitleLocKey: ["ORDER_SUBTITLE"]
        case .alertSubtitleLocArgs: [["Main Street"]]
        case .alertLocKey: ["ORDER_READY"]
        case .alertLocArgs: [["4711"]]
        case .alertAction: ["View"]
        case .alertActionLocKey: ["VIEW"]
        case .alertSummaryArg: ["Store"]
        case .alertSummaryArgCount: [1]
        case .alertSound: ["default"]
        default: nil
        }
    }

    private var inner: [PayloadValue]? {
        switch key {
        case .soundCritical: [1]
        case .soundName: ["default", "alarm.caf"]
        case .soundVolume: [0.8]
        case .titleLocKey: ["FLIGHT_TITLE"]
        case .titleLocArgs: [["LH400"]]
        case .bodyLocKey: ["FLIGHT_BODY"]
        case .bodyLocArgs: [["B12"]]
        default: nil
        }
    }
}

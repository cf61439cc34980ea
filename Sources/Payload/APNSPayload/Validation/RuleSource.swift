/// The sources of the rules.
enum RuleSource {
    private static let apple = "https://developer.apple.com/documentation/"
    private static let notifications = apple + "usernotifications/"
    private static let archive =
        "https://developer.apple.com/library/archive/documentation/NetworkingInternet/Conceptual/"

    static let sendingRequests = notifications + "sending-notification-requests-to-apns"
    static let handlingResponses = notifications + "handling-notification-responses-from-apns"
    static let generatingPayloads = notifications + "generating-a-remote-notification"
    static let unNotificationSound = notifications + "unnotificationsound"
    static let backgroundUpdates = notifications + "pushing-background-updates-to-your-app"
    static let registering = notifications + "registering-your-app-with-apns"
    static let broadcasts = notifications + "setting-up-broadcast-push-notifications"
    static let sendingBroadcasts = notifications + "sending-broadcast-push-notification-requests-to-apns"
    static let liveActivities =
        apple + "activitykit/starting-and-updating-live-activities-with-activitykit-push-notifications"
    static let controls = apple + "widgetkit/updating-controls-locally-and-remotely"
    static let fileProvider = apple + "fileprovider/using-push-notifications-to-signal-changes"
    static let pushToTalk = apple + "pushtotalk/creating-a-push-to-talk-app"
    static let pushKit = apple + "pushkit/responding-to-voip-notifications-from-pushkit"
    static let mdm = apple + "devicemanagement"
    static let wallet = apple + "walletpasses/adding-a-web-service-to-update-passes"
    static let safari = archive + "NotificationProgrammingGuideForWebsites/PushNotifications/PushNotifications.html"
    static let legacyGuide = archive + "RemoteNotificationsPG/PayloadKeyReference.html"
    static let simulator = "the help of xcrun simctl push"
    static let json = "https://www.rfc-editor.org/rfc/rfc8259"
    static let personalizedContract = "the payload contract of personalized pushes in this package"
    static let entryUpdateContract = "the payload contract of entry updates in this package"
    static let hintContract = "the payload contract of silent hints in this package"
}

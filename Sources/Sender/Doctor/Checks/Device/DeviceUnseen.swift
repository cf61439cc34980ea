extension DoctorCheck {
    static let deviceUnseen = DoctorCheck(
        id: "device-unseen", layer: .device,
        summary: "What no server can see, and so no check here: what the device does with a push that APNs accepted.",
        cause:
            "Notifications are not allowed, a Focus or the summary holds them back, or the user has force-quit the app.",
        next: steps,
        subject: { _ in Observation.seen(()) }
    ) { _ in
        .skip(
            "a server cannot see whether the user allows notifications, whether a Focus or Low Power Mode holds them back, whether the "
                + "app was force-quit, or whether the device is off; APNs answers 200 in any case",
            next: steps)
    }

    private static let steps =
        "on the device look at Settings, Notifications; at Focus; at Background App Refresh; and open the app once after it was "
        + "force-quit. Apple's Push Notifications Console shows the delivery of an apns-unique-id of the sandbox"
}

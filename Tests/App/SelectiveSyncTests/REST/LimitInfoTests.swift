import SelectiveSync
import Testing

struct LimitInfoTests {
    @Test(
        arguments: [
            ("api-usage=18/5000", LimitInfo.Usage(used: 18, limit: 5_000), nil),
            (
                "api-usage=18/5000; per-app-api-usage=17/250(appName=sample-app)", .init(used: 18, limit: 5_000),
                .init(used: 17, limit: 250, app: "sample-app")
            ),
            (" per-app-api-usage = 1/2(appName=a b) ;;new=1/1", nil, .init(used: 1, limit: 2, app: "a b")),
            ("new-usage=3/4(x=y);api-usage=25/5000", .init(used: 25, limit: 5_000), nil),
            ("api-usage=x/5000;per-app-api-usage=1/2", nil, .init(used: 1, limit: 2)),
        ] as [(String, LimitInfo.Usage?, LimitInfo.Usage?)])
    func `usage is read by name, and unknown names are skipped`(
        header: String, api: LimitInfo.Usage?, app: LimitInfo.Usage?
    ) {
        let info = LimitInfo(header)
        #expect(info?.api == api)
        #expect(info?.app == app)
    }

    @Test(arguments: [
        "", "api-usage", "api-usage=", "api-usage=1", "api-usage=1/2/3", "api-usage=-1/2", "api-usage=1/2(",
        "api-usage=1/99999999999999999999", "other=1/2", String(repeating: "api-usage=1/2;", count: 100),
    ])
    func `an invalid header has no usage`(header: String) {
        #expect(LimitInfo(header) == nil)
    }
}

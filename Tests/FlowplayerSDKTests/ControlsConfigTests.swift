import FlowplayerSDK
import Foundation
import Testing

@Suite struct ControlsConfigTests {
    @Test func withoutSettersEverythingIsAtItsDefault() {
        let config = ControlsConfig.create().build()
        #expect(config.controlsURL == nil)
        #expect(config.showsMuteControl)
        #expect(config.showsVolumeControl)
        #expect(config.showsFullscreenControl)
        #expect(config.areControlsVisible)
        #expect(!config.usesDragHandle)
        #expect(!config.usesThinControlBar)
        #expect(!config.usesPlay2)
        #expect(!config.usesPlay3)
        #expect(config.plugins.isEmpty)
        #expect(config.speedOptions == [0.5, 0.75, 1, 1.25, 1.5, 2])
        #expect(config.speedLabels == ["0.5x", "0.75x", "1x", "1.25x", "1.5x", "2x"])
        #expect(config.ignoredKeys.isEmpty)
        #expect(config == ControlsConfig.create().build())
    }

    @Test func settersMayBeChained() {
        let config = ControlsConfig.create()
            .setControlsUrl("https://controls.example/bar.html")
            .setMuteControl(false)
            .setVolumeControl(false)
            .setFullscreenControl(false)
            .setControlsVisible(false)
            .setUseDragHandle(true)
            .setUseThinControlBar(true)
            .setUsePlay2(true)
            .setUsePlay3(true)
            .build()
        #expect(config.controlsURL == URL(string: "https://controls.example/bar.html"))
        #expect(!config.showsMuteControl)
        #expect(!config.showsVolumeControl)
        #expect(!config.showsFullscreenControl)
        #expect(!config.areControlsVisible)
        #expect(config.usesDragHandle)
        #expect(config.usesThinControlBar)
        #expect(config.usesPlay2)
        #expect(config.usesPlay3)
    }

    @Test func settersMayBeStatementsOfTheirOwn() {
        let builder = ControlsConfig.create()
        builder.setMuteControl(false)
        builder.setControlsUrl("https://controls.example/bar.html")
        builder.setControlsUrl("")
        builder.enablePlugins(["speed"])
        let config = builder.build()
        #expect(!config.showsMuteControl)
        #expect(config.controlsURL == nil)
        #expect(config.plugins == [.speed])
    }

    @Test func whatIsBuiltStaysAsItIs() {
        let builder = ControlsConfig.create().enablePlugins(["speed"]).setCustom(key: "theme", value: "dark")
        let first = builder.build()
        builder.enablePlugins(["qsel"]).setCustom(key: "theme", value: "light").setUsePlay2(true)
        #expect(first.plugins == [.speed])
        #expect(first.customValue(for: "theme") == .string("dark"))
        #expect(!first.usesPlay2)
        #expect(builder.build().plugins == [.speed, .qualitySelection])
    }

    @Test func pluginsKeepTheirOrderAndComeOnce() {
        let config = ControlsConfig.create()
            .enablePlugins(["qsel", "asel", "chapters", "qsel"])
            .enablePlugins(["asel", "subtitles"])
            .build()
        let expected: [ControlsConfig.Plugin] = [
            .qualitySelection, .audioSelection, ControlsConfig.Plugin(rawValue: "chapters"), .subtitles,
        ]
        #expect(config.plugins == expected)
    }

    @Test func ratesMayBeNumbersOfAnyType() {
        let rates: [Any] = [1, 1.5, Float(2), UInt8(3), Decimal(0.25), NSNumber(value: 4), Int64(5)]
        let config = ControlsConfig.create().setCustom(key: "speed.options", value: rates).build()
        #expect(config.speedOptions == [1, 1.5, 2, 3, 0.25, 4, 5])
        #expect(config.ignoredKeys.isEmpty)
        let whole = ControlsConfig.create().setCustom(key: "speed.options", value: [1, 2]).build()
        #expect(whole.speedOptions == [1, 2])
    }

    @Test func whatIsNoRateIsLeftOutWithItsLabel() {
        let rates: [Any] = [0.5, "1", 0, -1, Double.nan, Double.infinity, true, Date(), 2]
        let config = ControlsConfig.create()
            .setCustom(key: "speed.options", value: rates)
            .setCustom(key: "speed.labels", value: ["slow", "b", "c", "d", "e", "f", "g", "h", "fast"])
            .build()
        #expect(config.speedOptions == [0.5, 2])
        #expect(config.speedLabels == ["slow", "fast"])
        #expect(config.ignoredKeys == ["speed.options"])
    }

    @Test(arguments: [[], ["a", "b"], [0]] as [[any Sendable]])
    func withoutAnyRateTheDefaultsAreOffered(rates: [any Sendable]) {
        let config = ControlsConfig.create().setCustom(key: "speed.options", value: rates).build()
        #expect(config.speedOptions == ControlsConfig.defaultSpeedOptions)
    }

    @Test func labelsThatAreMissingAreMade() {
        let builder = ControlsConfig.create().setCustom(key: "speed.options", value: [0.5, 1, 1.5])
        let few = builder.setCustom(key: "speed.labels", value: ["slow"]).build()
        #expect(few.speedLabels == ["slow", "1x", "1.5x"])
        let mixed = builder.setCustom(key: "speed.labels", value: ["slow", 1, "fast"]).build()
        #expect(mixed.speedLabels == ["slow", "1x", "fast"])
        #expect(mixed.ignoredKeys == ["speed.labels"])
        let many = builder.setCustom(key: "speed.labels", value: ["a", "b", "c", "d"]).build()
        #expect(many.speedLabels == ["a", "b", "c"])
        #expect(many.ignoredKeys.isEmpty)
    }

    @Test(arguments: ["speed.options", "speed.labels"])
    func aListIsNeededWhereThereAreSeveral(key: String) {
        let config = ControlsConfig.create().setCustom(key: key, value: 2).build()
        #expect(config.speedOptions == ControlsConfig.defaultSpeedOptions)
        #expect(config.speedLabels.last == "2x")
        #expect(config.ignoredKeys == [key])
        #expect(config.customValue(for: key) == nil)
    }

    @Test func valuesOfTheHostsOwnAreKept() {
        let config = ControlsConfig.create()
            .setCustom(key: "bool", value: true)
            .setCustom(key: "one", value: 1)
            .setCustom(key: "number", value: NSNumber(value: 2.5))
            .setCustom(key: "boxed", value: NSNumber(value: true))
            .setCustom(key: "text", value: "dark")
            .setCustom(key: "list", value: [1, "a", false] as [Any])
            .build()
        #expect(config.customValue(for: "bool") == .bool(true))
        #expect(config.customValue(for: "one") == .number(1))
        #expect(config.customValue(for: "number") == .number(2.5))
        #expect(config.customValue(for: "boxed") == .bool(true))
        #expect(config.customValue(for: "text") == .string("dark"))
        #expect(config.customValue(for: "list") == .list([.number(1), .string("a"), .bool(false)]))
        #expect(config.customValue(for: "other") == nil)
        #expect(config.ignoredKeys.isEmpty)
    }

    @Test func otherValuesAreNamed() {
        let config = ControlsConfig.create()
            .setCustom(key: "when", value: Date())
            .setCustom(key: "nothing", value: String?.none as Any)
            .setCustom(key: "lists", value: [[1]])
            .setCustom(key: "endless", value: Double.infinity)
            .setCustom(key: "again", value: Date())
            .setCustom(key: "again", value: 1)
            .setCustom(key: "lost", value: 1)
            .setCustom(key: "lost", value: Date())
            .build()
        #expect(config.ignoredKeys == ["endless", "lists", "lost", "nothing", "when"])
        #expect(config.customValue(for: "again") == .number(1))
        #expect(config.customValue(for: "lost") == nil)
    }
}

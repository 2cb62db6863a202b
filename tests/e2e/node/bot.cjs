// A small bot on the unmodified discord.js. It writes what it hears to standard output, a line of JSON for each.
const {
  ActionRowBuilder,
  ButtonBuilder,
  ButtonStyle,
  Client,
  EmbedBuilder,
  Events,
  GatewayIntentBits,
  MessageFlags,
  ModalBuilder,
  Options,
  StringSelectMenuBuilder,
  TextInputBuilder,
  TextInputStyle,
} = require("discord.js");

const tell = (heard, data = {}) => console.log(JSON.stringify({ heard, ...data }));
const [api, version] = process.env.API_URL.split("/v");
const client = new Client({
  intents: [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMessages, GatewayIntentBits.DirectMessages],
  rest: { api, version },
  makeCache: Options.cacheEverything(),
});

const panel = () => [
  new ActionRowBuilder().addComponents(
    new ButtonBuilder().setCustomId("count").setLabel("Count").setStyle(ButtonStyle.Primary),
    new ButtonBuilder().setCustomId("ask").setLabel("Ask me").setStyle(ButtonStyle.Secondary),
  ),
  new ActionRowBuilder().addComponents(
    new StringSelectMenuBuilder().setCustomId("colour").setPlaceholder("A colour").addOptions({ label: "Red", value: "r" }, { label: "Blue", value: "b" }),
  ),
];

const form = () =>
  new ModalBuilder()
    .setCustomId("who")
    .setTitle("Who goes there?")
    .addComponents(new ActionRowBuilder().addComponents(new TextInputBuilder().setCustomId("name").setLabel("Name").setStyle(TextInputStyle.Short)));

client.once(Events.ClientReady, async () => {
  const guild = client.guilds.cache.first();
  await client.application.commands.set([
    { name: "hi", description: "Says hi", options: [{ type: 3, name: "to", description: "Whom to greet", required: true, autocomplete: true }] },
    { name: "slow", description: "Thinks first" },
  ]);
  tell("ready", { tag: client.user.tag, guild: guild.name, channels: guild.channels.cache.map((c) => c.name).sort() });
});
client.on(Events.MessageCreate, (message) => {
  if (message.author.id !== client.user.id) tell("message", { by: message.author.username, in: message.channel.name, text: message.content, calls: message.mentions.users.has(client.user.id) });
});
client.on(Events.ThreadCreate, (thread) => tell("thread", { name: thread.name, parent: thread.parent?.name }));
client.on(Events.InteractionCreate, async (interaction) => {
  const by = interaction.user.username;
  if (interaction.isAutocomplete()) {
    tell("autocomplete", { by, focused: interaction.options.getFocused() });
    await interaction.respond([{ name: "everybody here", value: "all" }]);
  } else if (interaction.isChatInputCommand() && interaction.commandName === "hi") {
    tell("command", { by, to: interaction.options.getString("to"), manages: interaction.memberPermissions.has("ManageMessages") });
    const embed = new EmbedBuilder().setTitle("Greeting").setDescription(`Hi ${interaction.options.getString("to")}`);
    const answer = await interaction.reply({ content: "Hi", embeds: [embed], components: panel(), withResponse: true });
    tell("replied", { id: answer.resource.message.id });
  } else if (interaction.isChatInputCommand()) {
    await interaction.deferReply({ flags: MessageFlags.Ephemeral });
    await interaction.editReply({ content: "Thought." });
    const sent = await interaction.channel.send({ content: `${interaction.user} asked`, allowedMentions: { users: [interaction.user.id] } });
    await sent.edit("It was asked");
    const last = await interaction.channel.messages.fetch({ limit: 1, cache: false });
    tell("fetched", { text: last.first().content });
    await sent.delete();
  } else if (interaction.isButton() && interaction.customId === "count") {
    tell("button", { by });
    await interaction.update({ content: "Counted" });
    await interaction.followUp({ content: "Between us", flags: MessageFlags.Ephemeral });
  } else if (interaction.isButton()) {
    await interaction.showModal(form());
  } else if (interaction.isStringSelectMenu()) {
    await interaction.reply({ content: `You chose ${interaction.values.join()}`, flags: MessageFlags.Ephemeral });
  } else if (interaction.isModalSubmit()) {
    await interaction.reply(`Welcome, ${interaction.fields.getTextInputValue("name")}`);
  }
});
client.on(Events.Error, (error) => tell("error", { text: String(error) }));
process.on("unhandledRejection", (error) => {
  tell("error", { text: String(error) });
  process.exit(1);
});
client.login(process.env.TOKEN);
